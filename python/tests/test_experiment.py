"""Experiments and their folders."""

import html
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import kenga
from conftest import PUZZLES

CONFIG = {
    "puzzles": [str(PUZZLES / "original" / "4x4.txt")],
    "replicates": 3,
    "budget": {"evaluations": 4000},
    "algorithm": {"name": "genetic", "encoding": "rows", "selection": "tournament", "mutation": {"name": "row_swap"}},
}
SWEEP = {**CONFIG, "sweep": {"method": "grid", "algorithm.mutation.rate": [0.1, 0.3], "algorithm.population": [10, 40]}}


def files(folder):
    """The files of a folder whose bytes are promised."""
    return {path.name: path.read_bytes() for path in folder.path.iterdir() if path.name != "timing.csv"}


@pytest.fixture(scope="module")
def sweep(tmp_path_factory) -> kenga.Folder:
    return kenga.run(SWEEP, out=tmp_path_factory.mktemp("results") / "sweep", progress=False)


def test_an_experiment_ends_with_its_folder(tmp_path):
    folder = kenga.run(CONFIG, out=tmp_path / "one", jobs=1)
    assert folder.has_ended and folder.planned == 3
    runs = folder.runs
    assert (runs.rows, runs["run"].dtype, runs["solved"].dtype) == (3, np.int64, np.bool_)
    assert runs["puzzle"].tolist() == ["4x4"] * 3 and np.isnan(runs["dead_at"]).all() and (runs["cpu_s"] >= 0).all()


def test_the_bytes_are_the_same_for_any_number_of_jobs(sweep, tmp_path):
    assert files(kenga.run(SWEEP, out=tmp_path / "two", jobs=2, progress=False)) == files(sweep)


@pytest.mark.skipif("KENGA" not in os.environ, reason="KENGA does not name the program")
def test_the_bytes_are_those_of_the_program(tmp_path):
    config = tmp_path / "config.toml"
    config.write_text(kenga._toml.dumps(SWEEP))
    subprocess.run([os.environ["KENGA"], "run", "--config", config, "--out", tmp_path / "program", "--quiet"], check=True)
    assert files(kenga.run(config, out=tmp_path / "here")) == files(kenga.open(tmp_path / "program"))
    subprocess.run([os.environ["KENGA"], "validate", tmp_path / "here", "--replay", "all"], check=True)


def test_a_file_names_its_folder_and_what_is_set_lies_over_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(kenga._toml.dumps({**CONFIG, "puzzles": []}))
    [puzzle] = kenga.Puzzle.read(PUZZLES / "original" / "4x4.txt")
    for name in ("mine", "mine-2"):
        folder = kenga.run("mine.toml", puzzles=puzzle, runs=1, seed=5, set={"algorithm.population": 12})
        assert folder.path.as_posix() == f"results/{name}"
    config = folder.configs[0]
    assert (config["seed"], config["replicates"], config["algorithm"]["population"]) == (5, 1, 12)
    assert folder.puzzles == [puzzle]


def test_columns_become_frames_of_pandas(sweep):
    pandas = pytest.importorskip("pandas")
    for frame in (sweep.runs.to_pandas(), pandas.DataFrame(sweep.runs)):
        assert list(frame.columns) == list(sweep.runs) and len(frame) == 12
        assert frame["algorithm.mutation.rate"].dtype == np.float64 and frame["dead_at"].isna().all()
    assert isinstance(sweep.convergence.to_pandas(), pandas.DataFrame)


def test_columns_become_frames_of_polars(sweep):
    polars = pytest.importorskip("polars")
    frame = sweep.runs.to_polars()
    assert frame.columns == list(sweep.runs) and len(frame) == 12
    types = [frame[name].dtype for name in ("run", "solved", "puzzle", "distance")]
    assert types == [polars.Int64, polars.Boolean, polars.String, polars.Float64]
    assert frame["dead_at"].null_count() == 12 and frame["cpu_s"].null_count() == 0
    none = sweep.runs.where(sweep.runs["run"] < 0).to_polars()
    assert (len(none), none.schema) == (0, frame.schema)
    assert list(polars.DataFrame(sweep.convergence).columns) == list(sweep.convergence)


def test_columns_are_an_arrow_stream(sweep):
    arrow = pytest.importorskip("pyarrow")
    table = arrow.RecordBatchReader.from_stream(sweep.runs).read_all()
    assert table.column_names == list(sweep.runs) and table["dead_at"].null_count == 12
    assert table["puzzle"].to_pylist() == sweep.runs["puzzle"].tolist()
    assert table["solved"].to_pylist() == sweep.runs["solved"].tolist()
    assert table["best_fitness"].to_pylist() == sweep.runs["best_fitness"].tolist()
    mixed = kenga.Columns(few=np.array([1, 2], dtype=np.uint8), text=np.array(["a", None], dtype=object))
    assert arrow.RecordBatchReader.from_stream(mixed).read_all().to_pydict() == {"few": [1, 2], "text": ["a", None]}
    assert arrow.RecordBatchReader.from_stream(kenga.Columns()).read_all().num_rows == 0
    with pytest.raises(kenga.Error, match="the column `two` has 2 values, but others have 1"):
        kenga.Columns(one=np.array([1]), two=np.array([1, 2])).__arrow_c_stream__()


def test_convergence_has_the_recorded_generations(sweep):
    convergence = sweep.convergence
    assert set(convergence["run"]) == set(range(12))
    first = convergence.where(convergence["generation"] == 0)
    assert first.rows == 12 and set(first["evaluations"]) == {10, 40}
    assert (convergence["mean"] >= convergence["best"]).all() and convergence["worst"].dtype == np.int64


def test_whole_populations_are_a_table_and_their_genomes_an_array(tmp_path):
    config = {**CONFIG, "replicates": 2, "record": {"populations": 3, "gzip": True}}
    folder = kenga.run(config, out=tmp_path / "whole", jobs=1, progress=False)
    found = folder.populations
    assert list(found) == ["run", "generation", "island", "fitness", "genome"] and found.rows > 0
    genomes = found.genomes
    assert genomes.shape == (found.rows, 16) and genomes.dtype == np.int64
    assert [" ".join(map(str, genome)) for genome in genomes] == found["genome"].tolist()
    last = found.where((found["run"] == 1) & (found["generation"] == found["generation"][-1]))
    assert 0 < last.rows < found.rows and (last.genomes == genomes[-last.rows :]).all()
    assert found.where(found["run"] == 99).genomes.shape == (0, 0)
    # What kenga claims of them is true.
    task = kenga.Task(folder.puzzles[0])
    unsolved = last.where(last["fitness"] > 0)
    assert task.evaluate(unsolved.genomes).tolist() == unsolved["fitness"].tolist()
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.RecordBatchReader.from_stream(found).read_all()
    assert table.column_names == list(found) and table.num_rows == found.rows


def test_genomes_of_two_sizes_are_taken_apart_and_what_was_not_recorded_is_said(tmp_path):
    [small] = kenga.Puzzle.read('{"id":"two","size":2,"cages":[{"op":"+","target":6,"cells":[[0,0],[0,1],[1,0],[1,1]]}]}')
    [large] = kenga.Puzzle.read(PUZZLES / "original" / "4x4.txt")
    config = {**CONFIG, "replicates": 1, "record": {"populations": 1}}
    folder = kenga.run(config, puzzles=[large, small], out=tmp_path / "two", progress=False)
    found = folder.populations
    with pytest.raises(kenga.Error, match="genomes have 4 to 16 genes: take the rows of the runs of one puzzle"):
        found.genomes
    of_small = np.flatnonzero(folder.runs["puzzle"] == folder.puzzles[1].id)
    assert found.where(np.isin(found["run"], of_small)).genomes.shape[1] == 4
    plain = kenga.run({**CONFIG, "replicates": 1}, out=tmp_path / "plain", progress=False)
    with pytest.raises(kenga.Error, match="no whole populations: run the experiment with populations = 1"):
        plain.populations


def test_rows_behind_a_gap_are_not_used_and_a_warning_says_so(tmp_path):
    folder = kenga.run(CONFIG, out=tmp_path / "gap", jobs=1, progress=False)
    listed = folder.path / "runs.csv"
    lines = listed.read_text().splitlines(keepends=True)
    listed.write_text("".join(lines[:2] + lines[3:]))
    for read in (lambda: folder.runs, lambda: folder.convergence, lambda: folder.failures):
        with pytest.warns(UserWarning, match="gap: 1 row of runs.csv is not used: run 1 is missing"):
            read()
    with pytest.warns(UserWarning, match="run 1 is missing"):
        kenga.report(folder.path)


def test_settings_have_the_swept_keys(sweep):
    settings = sweep.settings
    assert settings["setting"].tolist() == [0, 1, 2, 3]
    assert sorted(set(settings["algorithm.population"])) == [10, 40]
    assert settings["algorithm.mutation.rate"].dtype == np.float64


def test_settings_are_compared(sweep):
    found = kenga.compare(sweep, by="mutation.rate", metric="best_fitness")
    assert found.verdict and str(found).count("\n") > 5
    for arguments, said in (
        ({"by": "mutation.rat"}, "no setting has the key `mutation.rat`\n.*settings differ in"),
        ({"metric": "time"}, "`time` for `metric`\n.*one of calls"),
        ({"puzzles": "5x5"}, "no puzzle `5x5`\n.*known: 4x4"),
        ({"alpha": 2}, "`2` for `alpha`: expected a number between 0 and 1"),
        ({"smallest": 1}, "`1` for `smallest`: expected a ratio above 1"),
        ({"baseline": "none"}, "no setting is named `none`"),
        ({"rope": 1}, "times such as calls are compared by their ratio\n.*rope 5%"),
        ({"worst": 3}, "not provided: anytime$"),
        ({"anytime": "lin"}, "did you mean `linear`"),
        ({"features": "none"}, "not provided: group$"),
        ({"columns": "sloved"}, "did you mean `solved`"),
        ({"csv": True, "latex": True}, "`csv` cannot be used with `latex`"),
    ):
        with pytest.raises(kenga.Error, match=said):
            kenga.compare([sweep], **arguments)


def test_a_comparison_adds_the_tables_that_are_asked_for(sweep, tmp_path):
    found = kenga.compare(sweep, rope="5%", anytime="log", worst=90, targets=[10, 0], budgets=[100, 1_000])
    further = {*found.data} - {*kenga.compare(sweep).data}
    assert {"practical", "areas", "targets", "budgets"} <= further and "matters in practice" in str(found)
    few = kenga.compare(sweep, columns=["solved", "calls"], csv=True)
    command = [sys.executable, "-m", "kenga", "compare", sweep.path, "--columns", "solved,calls", "--csv"]
    assert str(few) == subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert few.data["verdict"] == found.data["verdict"]
    assert r"\toprule" in str(kenga.compare(sweep, latex=True)) and "|---" in str(kenga.compare(sweep, markdown=True)).replace(" ", "")


def test_a_comparison_asks_what_a_plan_has_fixed(sweep, tmp_path):
    plan = kenga.sweep.plan(SWEEP, tmp_path / "plan.json", pilot=0, progress=False)
    assert kenga.compare(sweep, plan=plan).data == kenga.compare(sweep).data
    with pytest.raises(kenga.Error, match="`metric` cannot be used with `plan`"):
        kenga.compare(sweep, plan=plan, metric="calls")


def test_puzzles_of_an_experiment_are_texts_and_files_too(tmp_path):
    text, file = "4:b_a4_a_6aa,m8s1a6s1m4a3d2", PUZZLES / "original" / "6x6.txt"
    folder = kenga.run({**CONFIG, "replicates": 1}, puzzles=[text, file], out=tmp_path / "two", progress=False)
    assert [puzzle.rows for puzzle in folder.puzzles] == [4, 6] and folder.runs.rows == 2


def test_a_program_of_a_configuration_is_started_where_the_caller_says(tmp_path):
    program = PUZZLES.parent / "examples" / "programs" / "ga.py"
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "mine.py").write_text(program.read_text())
    shutil.copy(program.with_name("kenga_task.py"), tmp_path / "elsewhere")
    config = {**CONFIG, "algorithm": {"name": "program", "command": [sys.executable, "mine.py"], "encoding": "cells"}}
    folder = kenga.run(config, out=tmp_path / "made", programs=tmp_path / "elsewhere", progress=False)
    assert folder.failures.rows == 0


def test_a_report_is_a_page_with_figures(sweep, tmp_path):
    report = kenga.report(sweep, title="Rates & sizes")
    report.save(tmp_path / "page.html", figures=tmp_path / "figures")
    assert "<title>Rates &amp; sizes" in (tmp_path / "page.html").read_text(encoding="utf-8")
    shown = re.fullmatch(r'<iframe srcdoc="([^"]*)".*</iframe>', report._repr_html_(), re.DOTALL)
    assert shown is not None and html.unescape(shown[1]) == report.page
    assert report.figures and all((tmp_path / "figures" / name).exists() for name in report.figures)


def test_a_notebook_shows_folders_comparisons_grades_and_answers(sweep, small):
    shown = sweep._repr_html_()
    assert "12 of 12 runs" in shown and "<th>algorithm.population</th>" in shown and shown.count("<tr>") == 5
    compared = kenga.compare(sweep, by="mutation.rate")
    assert compared._repr_html_().count("<tr>") == 3 and html.escape(compared.verdict[0]) in compared._repr_html_()
    assert "<th>tier</th><td>normal</td>" in small.grade()._repr_html_()
    answer = kenga.solve(small)
    assert answer._repr_html_().startswith("<p>unique: 1 found") and answer._repr_html_().count("<svg") == 1
    assert sweep.convergence._repr_html_().count("<tr>") == 21
    assert "&lt;b&gt;" in kenga.Columns(text=np.array(["<b>"], dtype=object))._repr_html_()


def test_folders_are_plotted(sweep):
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    axes = sweep.plot_convergence()
    assert len(axes.get_lines()) == 4 and axes.get_xlabel() == "calls"
    rates = [label.get_text() for label in axes.get_legend().get_texts()]
    assert sorted(rates)[0] == "rate=0.1, population=10"
    assert sweep.plot_convergence("mean", "generation", ax=axes) is axes
    solved = sweep.plot_solved()
    runs = sweep.runs
    for setting, line in enumerate(solved.get_lines()):
        assert line.get_ydata()[-1] == runs["solved"][runs["setting"] == setting].mean()
    pyplot.close("all")
    with pytest.raises(kenga.Error, match="no column 'bets'; there are run, generation"):
        sweep.plot_convergence("bets", ax=axes)


def test_without_matplotlib_an_error_says_what_to_install(sweep, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for plot in (sweep.plot_convergence, sweep.plot_solved):
        with pytest.raises(kenga.Error, match=r'pip install "kenga\[plots\]"'):
            plot()


@pytest.mark.parametrize(
    "change, said",
    [
        ({"budgets": {}}, "^unknown key `budgets` in the configuration\ndid you mean `budget`"),
        ({"puzzles": ["nowhere.txt"]}, "cannot read .*nowhere.txt"),
        ({"puzzles": []}, "there is no puzzle to run"),
        ({"algorithm": {"name": "genetics"}}, "genetic"),
        ({"seed": {1, 2}}, "seed is a set"),
    ],
)
def test_a_configuration_is_refused_with_kengas_message(change, said, tmp_path):
    with pytest.raises(kenga.Error, match=said):
        kenga.run({**CONFIG, **change}, out=tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_arguments_are_refused_by_their_names(tmp_path):
    for arguments, said in (
        ({"seed": -1}, "^seed is -1, but must be at least 0$"),
        ({"runs": 0}, "^runs is 0, but must be at least 1$"),
        ({"set": {"algorithm.popluation": 3}}, "^unknown key `popluation` in algorithm `genetic`\ndid you mean"),
        ({"set": {"algorithm.population": 0}}, "^`population` takes a whole number from 1 [^\n]*\n[^\n]*$"),
    ):
        with pytest.raises(kenga.Error, match=said):
            kenga.run(CONFIG, out=tmp_path / "none", **arguments)
    # A file is the user's own: its line is shown.
    (tmp_path / "config.toml").write_text("replicats = 3\n")
    with pytest.raises(kenga.Error, match=r"config.toml:1:1\]"):
        kenga.run(tmp_path / "config.toml", out=tmp_path / "none")


def test_what_is_no_folder_is_refused(tmp_path):
    with pytest.raises(kenga.Error):
        kenga.open(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    with pytest.raises(kenga.Error, match="full is not empty\n.*with out, or continue it with resume$"):
        kenga.run(CONFIG, out=tmp_path / "full")
    with pytest.raises(kenga.Error, match="needs a configuration"):
        kenga.run()


def test_more_replicates_append(tmp_path):
    kenga.run(CONFIG, out=tmp_path / "two", runs=1)
    assert kenga.run(out=tmp_path / "two", resume=True, runs=2).runs.rows == 2
    with pytest.raises(kenga.Error, match="seed"):
        kenga.run(out=tmp_path / "two", resume=True, seed=9)


def test_progress_is_told(tmp_path):
    told = []
    kenga.run(CONFIG, out=tmp_path / "told", progress=lambda *state: told.append(state))
    assert told[-1][:2] == (3, 3) and told[-1][2] <= 3


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer signal")
def test_ctrl_c_leaves_a_folder_that_can_be_resumed(tmp_path):
    def stop(*_):
        raise KeyboardInterrupt

    config = {**CONFIG, "replicates": 40, "exact": {"nodes": 1000}, "budget": {"evaluations": 40_000}}
    config["algorithm"] = {**CONFIG["algorithm"], "encoding": "cells", "mutation": {"name": "swap"}}
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 1.0)
    try:
        with pytest.raises(KeyboardInterrupt):
            kenga.run(config, out=tmp_path / "cut", jobs=1, progress=False)
            time.sleep(5)
    finally:
        signal.signal(signal.SIGALRM, before)
    if not kenga.open(tmp_path / "cut").has_ended:
        assert kenga.open(tmp_path / "cut").runs.rows < 40
    resumed = kenga.run(config, out=tmp_path / "cut", resume=True, progress=False)
    assert resumed.has_ended and files(resumed) == files(kenga.run(config, out=tmp_path / "whole", progress=False))
