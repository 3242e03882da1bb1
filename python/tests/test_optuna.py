"""kenga as the objective of Optuna, by the line of the guide."""

from pathlib import Path

import pytest

import kenga

ROOT = Path(__file__).parents[2]


def test_the_line_of_the_guide_tunes_with_optuna(tmp_path, monkeypatch):
    optuna = pytest.importorskip("optuna")
    page = (ROOT / "docs" / "tune.md").read_text(encoding="utf-8")
    [line] = [line for line in page.splitlines() if line.startswith("study.optimize(")]
    puzzle = (ROOT / "puzzles" / "original" / "4x4.txt").as_posix()
    monkeypatch.chdir(tmp_path)
    config = f"puzzles = ['{puzzle}']\nreplicates = 2\nbudget.evaluations = 600\nalgorithm.name = 'genetic'\n"
    Path("ga.toml").write_text(config, encoding="utf-8")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1))
    exec(line.replace("n_trials=20", "n_trials=3"), {"study": study, "kenga": kenga})
    assert len(study.trials) == 3
    for trial in study.trials:
        runs = kenga.open(f"trials/{trial.number}").runs
        assert trial.value == runs["best_fitness"].mean()
        assert 4 <= trial.params["population"] <= 500
