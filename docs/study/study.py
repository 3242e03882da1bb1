#!/usr/bin/env python3
"""What the papers need beside kenga: tables of several comparisons, two kinds of figures, and tables put into texts.

  study.py best DIR                                  options of the setting of a sweep with the lowest PAR-10
  study.py contrasts OUT.csv LABEL=COMPARE.json...   all pairs of several `kenga compare --json`, Holm over all of them
  study.py shares OUT.csv LABEL=COMPARE.json...      what every setting solves, and its PAR-10, in several comparisons
  study.py groups OUT.csv COMPARE.json               expected calls of the median puzzle of every group, by every setting
  study.py simple OUT.csv LABEL=FEATURES.csv=COMPARE.json=COLUMN,COLUMN...  rank correlations of features and expected calls
  study.py within OUT.csv FEATURES.csv COMPARE.json COLUMN,COLUMN...  the same within groups of puzzles: the mean over groups
  study.py grouped FEATURES.csv OUT.csv              features with a column `group`, that of the puzzle
  study.py medians OUT.md COLUMN,COLUMN... LABEL=IN.csv...  median, least and greatest of columns of several tables
  study.py pivot IN.csv OUT.md ROW COLUMN VALUE      one column as a Markdown table of two others
  study.py tables IN.md DIR NAME...                  the first tables of a Markdown text, each in a file of its own
  study.py table IN.csv OUT.md COLUMN=HEADER...      columns of a table as Markdown
  study.py forest IN.csv OUT.svg TITLE AXIS [SCALE]  values with intervals, grouped by label; SCALE log or linear
  study.py scatter IN.csv OUT.svg TITLE X Y GROUP    points, a colour a group
  study.py heat IN.csv OUT.svg TITLE ROW COLUMN VALUE MARK  values from -1 to 1 as colours; MARK: a column, true where it is shown
  study.py predictions OUT LABEL=LANDSCAPE.csv...    measures by how well they predict, and whether one half foretells the other
  study.py only IN.csv OUT.csv COLUMN VALUE          the rows with this value
  study.py include PAPER.md                          replaces `<!-- begin table NAME -->` to `<!-- end -->` by tables/NAME.md
  study.py check PAPER.md DIR                        every figure and table that a paper names is in DIR
"""

import csv
import json
import math
import random
import re
import statistics
import sys
from html import escape
from pathlib import Path

BLOCK = re.compile(r"(<!-- begin table (\S+) -->\n).*?(<!-- end -->)", re.S)
FIGURE = re.compile(r"!\[[^\]]*\]\((figures/[^)]+)\)")
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"]


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def write_rows(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


# Choosing a setting.


def best(folder):
    """Prints --set options: the setting with the lowest mean over puzzles of PAR-10, the first of equals."""
    settings = [json.loads(line) for line in open(Path(folder, "settings.jsonl"))]
    budget = settings[0]["config"]["budget"]
    failed = 10 * sum(budget.get(kind, 0) for kind in ("evaluations", "moves"))
    spent = {setting["setting"]: [] for setting in settings}
    for run in rows_of(Path(folder, "runs.csv")):
        calls = int(run["evaluations"]) + int(run["moves"])
        spent[int(run["setting"])].append(calls if run["solved"] == "true" else failed)
    chosen = min(settings, key=lambda setting: sum(spent[setting["setting"]]))
    print(" ".join(f"--set {key}={value}" for key, value in chosen["values"].items()))


# Comparisons.


def contrasts(out, *sources):
    rows = []
    for source in sources:
        label, path = source.split("=", 1)
        found = json.loads(Path(path).read_text())
        solved = {setting["name"]: setting["share"] for setting in found["settings"]}
        practical = {entry["setting"]: entry for entry in found.get("practical") or []}
        for pair in found["pairs"]:
            ratio, entry = pair["ratio"] or {}, practical.get(pair["second"], {})
            low, high = ratio.get("interval_95") or (None, None)
            rows.append({
                "label": label, "setting": pair["second"], "reference": pair["first"], "pairs": pair["pairs"],
                "solved_reference": solved[pair["first"]], "solved": solved[pair["second"]],
                "value": ratio.get("value"), "low": low, "high": high, "p": pair["p"],
                **{key: entry.get(key) for key in ("better", "same", "worse")},
            })
    for row, corrected in zip(rows, holm([row["p"] for row in rows])):
        row["holm"] = corrected
        row["solved_both"] = f"{percent(row['solved_reference'])} → {percent(row['solved'])}"
        row["interval"] = interval(row)
        row["holm_text"] = "" if corrected is None else small(corrected, 0.001)
        row["practical"] = " / ".join(percent(row[key]) for key in ("better", "same", "worse"))
    write_rows(out, rows)


def shares(out, *sources):
    rows = []
    for source in sources:
        label, path = source.split("=", 1)
        for setting in json.loads(Path(path).read_text())["settings"]:
            low, high = setting["share_95"]
            par10 = setting["par10"]["value"]
            rows.append({
                "label": label, "setting": setting["name"], "runs": setting["runs"], "share": setting["share"],
                "value": setting["share"], "low": low, "high": high, "par10": par10,
                "interval": f"{100 * setting['share']:.0f} ({100 * low:.0f} to {100 * high:.0f})",
            })
    write_rows(out, rows)


def group_of(puzzle):
    """The group of a puzzle: its id without its number."""
    return puzzle.rsplit("-", 1)[0]


def grouped(source, out):
    write_rows(out, [{**row, "group": group_of(row["id"])} for row in rows_of(source)])


def groups(out, path):
    """The interval is that of order statistics, at least 95 % from six puzzles on."""
    rows = []
    for setting in json.loads(Path(path).read_text())["settings"]:
        found = {}
        for entry in setting["puzzles"]:
            calls = entry["expected"]["value"]
            found.setdefault(group_of(entry["puzzle"]), []).append(math.inf if calls is None else calls)
        for group, calls in found.items():
            calls.sort()
            count, skipped = len(calls), order_statistic(len(calls))
            value = calls[(count - 1) // 2]
            low, high = (calls[skipped], calls[count - 1 - skipped]) if skipped is not None else (calls[0], calls[-1])
            finite = lambda number: None if math.isinf(number) else number
            row = {"label": setting["name"], "setting": group, "puzzles": count, "value": finite(value), "low": finite(low), "high": finite(high)}
            row["interval"] = f"{calls_text(value)} ({calls_text(low)} to {calls_text(high)})"
            rows.append(row)
    write_rows(out, rows)


def order_statistic(count):
    """How many values may lie beyond each end of a 95 % interval of the median; None where there are too few."""
    tail, skipped = 0.5**count, None
    for index in range(count // 2):
        if tail > 0.025:
            break
        skipped = index
        tail += math.comb(count, index + 1) * 0.5**count
    return skipped


def calls_text(calls):
    if math.isinf(calls):
        return "never"
    return f"{calls:.0f}" if calls < 1000 else f"{calls / 1e3:.3g} k" if calls < 1e6 else f"{calls / 1e6:.3g} M"


def simple(out, *sources):
    """Spearman's rho over puzzles, with the 95 % interval of 1000 resamples of puzzles; puzzles that no run solved tie as hardest."""
    rows = []
    for source in sources:
        label, features, compared, columns = source.split("=", 3)
        features = {row["id"]: row for row in rows_of(features)}
        for setting in json.loads(Path(compared).read_text())["settings"]:
            calls = {entry["puzzle"]: entry["expected"]["value"] for entry in setting["puzzles"]}
            for column in columns.split(","):
                pairs = [(float(features[id][column]), math.inf if calls[id] is None else calls[id]) for id in calls if features[id][column]]
                rho, low, high = bootstrapped(pairs)
                row = {"rho": rho, "rho_low": low, "rho_high": high}
                rows.append({
                    "label": label, "setting": setting["name"], "feature": column, "both": f"{label}: {column}", "puzzles": len(pairs),
                    "value": rho, "low": low, "high": high, "interval": rho_text(row),
                })
    write_rows(out, rows)


def bootstrapped(pairs, resamples=1000):
    rng = random.Random(1)
    rho = spearman(*zip(*pairs))
    values = []
    for _ in range(resamples):
        value = spearman(*zip(*rng.choices(pairs, k=len(pairs))))
        values.append(value if not math.isnan(value) else rng.choice([-1.0, 1.0]))
    values.sort()
    return rho, values[int(0.025 * resamples)], values[int(0.975 * resamples) - 1]


def within(out, features, compared, columns):
    """The mean over groups of Spearman's rho within each, with the 95 % interval of 1000 resamples of groups; a group in which the feature
    or the calls never vary says nothing and is left out."""
    features = {row["id"]: row for row in rows_of(features)}
    rows = []
    for setting in json.loads(Path(compared).read_text())["settings"]:
        for column in columns.split(","):
            pairs = {}
            for entry in setting["puzzles"]:
                value, calls = features[entry["puzzle"]][column], entry["expected"]["value"]
                if value:
                    pairs.setdefault(group_of(entry["puzzle"]), []).append((float(value), math.inf if calls is None else calls))
            rhos = [rho for rho in (spearman(*zip(*group)) for group in pairs.values()) if not math.isnan(rho)]
            rng, mean = random.Random(1), lambda values: sum(values) / len(values) if values else float("nan")
            means = sorted(mean(rng.choices(rhos, k=len(rhos))) if rhos else float("nan") for _ in range(1000))
            row = {"rho": mean(rhos), "rho_low": means[25], "rho_high": means[974]}
            rows.append({"setting": setting["name"], "feature": column, "groups": len(rhos), **row, "interval": f"{rho_text(row)}, {len(rhos)}"})
    write_rows(out, rows)


def medians(out, columns, *sources):
    columns = columns.split(",")
    lines = ["| | puzzles | " + " | ".join(columns) + " |", "|" + "---|" * (len(columns) + 2)]
    for source in sources:
        label, path = source.split("=", 1)
        rows, cells = rows_of(path), []
        for column in columns:
            values = [float(row[column]) for row in rows if row[column]]
            ends = [number(value) for value in (statistics.median(values), min(values), max(values))] if values else []
            cells.append(f"{ends[0]} ({ends[1]} to {ends[2]})" if ends else "")
        lines.append(f"| {label} | {len(rows)} | " + " | ".join(cells) + " |")
    Path(out).write_text("\n".join(lines) + "\n")


def pivot(source, out, row_key, column_key, value_key):
    rows = rows_of(source)
    names, columns = (list(dict.fromkeys(row[key] for row in rows)) for key in (row_key, column_key))
    values = {(row[row_key], row[column_key]): row[value_key] for row in rows}
    lines = ["| | " + " | ".join(columns) + " |", "|" + "---|" * (len(columns) + 1)]
    lines += ["| " + " | ".join([name] + [values.get((name, column), "") for column in columns]) + " |" for name in names]
    Path(out).write_text("\n".join(lines) + "\n")


def holm(ps):
    """Holm's correction; an absent p stays absent and counts."""
    order = sorted((p if p is not None else 1.0, index) for index, p in enumerate(ps))
    corrected, highest = [None] * len(ps), 0.0
    for rank, (p, index) in enumerate(order):
        highest = max(highest, min(1.0, p * (len(ps) - rank)))
        corrected[index] = highest if ps[index] is not None else None
    return corrected


def percent(share):
    return "" if share is None else f"{100 * share:.0f} %"


def small(value, bound):
    return f"< {bound}" if value < bound else f"{value:.2g}"


def number(value):
    if value is None:
        return "∞"
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def interval(row):
    if row["value"] is None:
        return "not known" if row["low"] is None else f"∞ ({number(row['low'])} to ∞)"
    return f"{number(row['value'])} ({number(row['low'])} to {number(row['high'])})"


def table(source, out, *columns):
    pairs = [column.split("=", 1) for column in columns]
    lines = ["| " + " | ".join(header.replace("_", " ") for _, header in pairs) + " |", "|" + "---|" * len(pairs)]
    for row in rows_of(source):
        lines.append("| " + " | ".join(row[key].replace("|", r"\|") for key, _ in pairs) + " |")
    Path(out).write_text("\n".join(lines) + "\n")


def tables(source, folder, *names):
    found = re.findall(r"(?:^\|.*\n)+", Path(source).read_text(), re.M)
    for name, text in zip(names, found):
        Path(folder, name + ".md").write_text(text)


def only(source, out, column, value):
    write_rows(out, [row for row in rows_of(source) if row[column] == value])


# Figures.


class Svg:
    def __init__(self, width, height, title):
        self.head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="Helvetica, Arial, sans-serif" font-size="12">\n<title>{escape(title)}</title>\n'
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n'
        )
        self.body = []

    def line(self, x1, y1, x2, y2, colour="#333333", width=1.5):
        ends = " ".join(f'{key}="{value:.1f}"' for key, value in zip(("x1", "y1", "x2", "y2"), (x1, y1, x2, y2)))
        self.body.append(f'<line {ends} stroke="{colour}" stroke-width="{width}"/>')

    def dot(self, x, y, colour="#000000", radius=3.5):
        self.body.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}" fill-opacity="0.8"/>')

    def box(self, x, y, width, height, colour):
        self.body.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>')

    def text(self, x, y, text, anchor="start", weight="normal", colour="#000000"):
        style = f'text-anchor="{anchor}" font-weight="{weight}" fill="{colour}"'
        self.body.append(f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(text)}</text>')

    def write(self, path):
        Path(path).write_text(self.head + "\n".join(self.body) + "\n</svg>\n")


def real(text):
    return float(text) if text not in ("", None) else None


def log_ticks(low, high):
    steps = [step * 10.0**power for power in range(-6, 13) for step in (1, 2, 5)]
    ticks = [tick for tick in steps if low <= tick <= high]
    return ticks if len(ticks) <= 9 else [tick for tick in ticks if str(f"{tick:e}")[0] == "1"]


def tick_text(tick):
    for unit, sign in ((1e6, "M"), (1e3, "k")):
        if tick >= unit:
            return f"{tick / unit:g} {sign}"
    return f"{tick:g}"


def forest(source, out, title, axis, scale="log"):
    rows = rows_of(source)
    labels = list(dict.fromkeys(row["label"] for row in rows))
    left, right, top, step = 300, 40, 40, 18
    width, height = 760, top + step * (len(rows) + len(labels)) + 50
    ends = [real(row[key]) for row in rows for key in ("value", "low", "high")]
    ends = [end for end in ends if end is not None and (scale == "linear" or end > 0)] + ([1.0] if scale == "log" else [])
    low, high = (-1.0, 1.0) if scale == "linear" else (min(max(min(ends), 0.05), 0.5), max(min(max(ends), 50.0), 2.0))
    place = (lambda value: value) if scale == "linear" else (lambda value: math.log(max(value, 1e-9)))
    span = place(high) - place(low)
    at = lambda value: left + (width - left - right) * min(1, max(0, (place(value) - place(low)) / span))
    svg = Svg(width, height, title)
    svg.text(8, 20, title, weight="bold")
    bottom = height - 45
    neutral = 0.0 if scale == "linear" else 1.0
    for tick in [-1, -0.5, 0, 0.5, 1] if scale == "linear" else log_ticks(low, high):
        svg.line(at(tick), top - 8, at(tick), bottom, "#888888" if tick == neutral else "#dddddd", 1)
        svg.text(at(tick), bottom + 15, tick_text(tick) if tick > 0 else f"{tick:g}", "middle", colour="#333333")
    svg.text((left + width - right) / 2, bottom + 33, axis, "middle")
    y = top
    for index, label in enumerate(labels):
        svg.text(8, y + 8, label, weight="bold")
        y += step
        for row in (row for row in rows if row["label"] == label):
            value, least, most = (real(row[key]) for key in ("value", "low", "high"))
            svg.text(left - 12, y + 8, row["setting"], "end")
            colour = COLOURS[index % len(COLOURS)]
            if value is None and least is None:
                svg.text(left + 4, y + 8, "no estimate", colour="#777777")
            else:
                svg.line(at(least if least is not None else low), y + 4, at(most if most is not None else high), y + 4, colour)
                svg.dot(at(value if value is not None else high), y + 4, colour)
            y += step
    svg.write(out)


def scatter(source, out, title, x, y, group):
    rows = [row for row in rows_of(source) if row[x] and row[y]]
    groups = list(dict.fromkeys(row[group] for row in rows))
    width, height, left, top, right, bottom = 560, 400, 70, 40, 150, 345
    xs, ys = [float(row[x]) for row in rows], [float(row[y]) for row in rows]
    across = lambda value: left + (width - left - right) * (value - min(xs)) / (max(xs) - min(xs) or 1)
    up = lambda value: bottom - (bottom - top) * (value - min(ys)) / (max(ys) - min(ys) or 1)
    svg = Svg(width, height, title)
    svg.text(8, 20, title, weight="bold")
    for part in range(5):
        value = min(xs) + (max(xs) - min(xs)) * part / 4
        svg.line(across(value), bottom, across(value), bottom + 4, "#888888", 1)
        svg.text(across(value), bottom + 18, f"{value:.2g}", "middle", colour="#333333")
        value = min(ys) + (max(ys) - min(ys)) * part / 4
        svg.line(left, up(value), width - right, up(value), "#dddddd", 1)
        svg.text(left - 8, up(value) + 4, f"{value:.2g}", "end", colour="#333333")
    svg.text((left + width - right) / 2, bottom + 38, x, "middle")
    svg.text(8, top - 8, y)
    for index, name in enumerate(groups):
        colour = COLOURS[index % len(COLOURS)]
        svg.dot(width - right + 16, top + 18 * index, colour)
        svg.text(width - right + 26, top + 18 * index + 4, name)
        for row in (row for row in rows if row[group] == name):
            svg.dot(across(float(row[x])), up(float(row[y])), colour)
    svg.write(out)


def heat(source, out, title, row_key, column_key, value_key, mark_key):
    rows = rows_of(source)
    names, columns = (list(dict.fromkeys(row[key] for row in rows)) for key in (row_key, column_key))
    values = {(row[row_key], row[column_key]): row for row in rows}
    left, top, step = 40 + max(7 * len(name) for name in names), 56, 18
    wide = max(96, *(8 * len(column) for column in columns))
    svg = Svg(left + wide * len(columns) + 20, top + step * len(names) + 40, title)
    svg.text(8, 20, title, weight="bold")
    for index, column in enumerate(columns):
        svg.text(left + wide * (index + 0.5), top - 8, column, "middle")
    for line, name in enumerate(names):
        y = top + step * line
        svg.text(left - 8, y + 13, name, "end")
        for index, column in enumerate(columns):
            row = values.get((name, column))
            value = real(row[value_key]) if row else None
            if value is not None:
                rest = 255 - round(170 * min(1, abs(value)))
                colour = f"#ff{rest:02x}{rest:02x}" if value > 0 else f"#{rest:02x}{rest:02x}ff"
                svg.box(left + wide * index + 1, y, wide - 2, step - 2, colour)
                weight = "bold" if row[mark_key] == "true" else "normal"
                svg.text(left + wide * (index + 0.5), y + 13, f"{value:+.2f}", "middle", weight)
    if any(row[mark_key] == "true" for row in rows):
        svg.text(8, top + step * len(names) + 24, "Bold: differs from 0 after Holm's correction over the whole table.")
    svg.write(out)


# Predictions.


def predictions(out, *sources):
    """Of `kenga landscape --runs`: OUT/measures.csv, one row for each correlation, measures ordered by the mean of |rho| over
    settings; OUT/top.csv, the strongest of every setting; OUT/halves-NAME.csv for every pair of labels first-NAME and
    second-NAME."""
    found = {}
    for source in sources:
        label, path = source.split("=", 1)
        rows = [row for row in rows_of(path) if row["rho"]]
        found[label] = {(row["measure"], row["setting"]): row for row in rows}
    rows = []
    for label, table in found.items():
        strength = {}
        for (measure, _), row in table.items():
            strength.setdefault(measure, []).append(abs(float(row["rho"])))
        settings = sorted({setting for _, setting in table})
        full = {measure: sum(values) / len(settings) for measure, values in strength.items()}
        for measure in sorted(full, key=lambda measure: (-full[measure], measure)):
            for setting in settings:
                row = table.get((measure, setting))
                if row:
                    rows.append({
                        "label": label, "measure": measure, "setting": setting, "mean": f"{full[measure]:.2f}", "rho": row["rho"],
                        "value": row["rho"], "low": row["rho_low"], "high": row["rho_high"], "holm": row["p_holm"], "holm_text": small(float(row["p_holm"]), 0.001),
                        "shown": "true" if float(row["p_holm"]) <= 0.05 else "false",
                        "interval": rho_text(row), "named": f"{measure} {rho_text(row)}", "puzzles": row["puzzles"], "unsolved": row["unsolved"],
                    })
    write_rows(Path(out, "measures.csv"), rows)
    strongest = {}
    for row in sorted(rows, key=lambda row: -abs(float(row["rho"]))):
        if not row["label"].startswith(("first-", "second-")):
            strongest.setdefault((row["label"], row["setting"]), row)
    write_rows(Path(out, "top.csv"), [strongest[key] for key in sorted(strongest)])
    for name in [label.removeprefix("first-") for label in found if label.startswith("first-")]:
        write_rows(Path(out, f"halves-{name}.csv"), halves(found[f"first-{name}"], found[f"second-{name}"]))


def rho_text(row):
    return f"{float(row['rho']):+.2f} ({float(row['rho_low']):+.2f} to {float(row['rho_high']):+.2f})"


def halves(first, second):
    rows = []
    for setting in sorted({setting for _, setting in first}):
        both = [key for key in first if key[1] == setting and key in second]
        chosen = max(both, key=lambda key: abs(float(first[key]["rho"])))
        signs = [float(first[key]["rho"]) * float(second[key]["rho"]) > 0 for key in both]
        rows.append({
            "setting": setting, "chosen": chosen[0], "first": rho_text(first[chosen]), "second": rho_text(second[chosen]),
            "agreement": f"{spearman([float(first[key]['rho']) for key in both], [float(second[key]['rho']) for key in both]):.2f}",
            "signs": f"{sum(signs)} of {len(signs)}",
        })
    return rows


def ranks(values):
    order = sorted(values)
    places = {value: (order.index(value) + len(order) - 1 - order[::-1].index(value)) / 2 for value in set(values)}
    return [places[value] for value in values]


def spearman(a, b):
    """Spearman's rank correlation, ties by mean ranks; not a number where one side never varies."""
    a, b = ranks(a), ranks(b)
    mean = (len(a) - 1) / 2
    over = sum((x - mean) * (y - mean) for x, y in zip(a, b))
    under = math.sqrt(sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b))
    return over / under if under else float("nan")


# Papers.


def include(paper):
    text, folder = Path(paper).read_text(), Path(paper).parent
    replaced = lambda block: block[1] + Path(folder, "tables", block[2] + ".md").read_text() + block[3]
    Path(paper).write_text(BLOCK.sub(replaced, text))


def check(paper, folder):
    text = Path(paper).read_text()
    named = [f"tables/{name}.md" for _, name, _ in BLOCK.findall(text)] + FIGURE.findall(text)
    missing = [name for name in named if not Path(folder, name).is_file()]
    if not named or missing:
        sys.exit(f"{paper}: not made: {', '.join(missing) or 'no figure and no table is named'}")


COMMANDS = [best, contrasts, shares, groups, grouped, simple, within, medians, pivot, tables, table, only, forest, scatter, heat, predictions, include, check]

if __name__ == "__main__":
    known = {command.__name__: command for command in COMMANDS}
    if len(sys.argv) < 2 or sys.argv[1] not in known:
        sys.exit(__doc__)
    known[sys.argv[1]](*sys.argv[2:])
