"""The report as HTML and as Markdown. Whatever a recording named is shown as text and does nothing."""
import html
import math
import re

STYLE = """
:root { color-scheme: light dark;
  --page: #f4f5f7; --card: #ffffff; --ink: #15181d; --soft: #59626e; --line: #d5dae1;
  --bar: #1b4fc4; --wide: #9db4ea; --finish: #007f6e; --cancel: #c0259f; --error: #8c1500; }
@media (prefers-color-scheme: dark) { :root {
  --page: #0f1216; --card: #171b21; --ink: #e9edf2; --soft: #9aa5b3; --line: #2d343e;
  --bar: #6a9bff; --wide: #2f4a80; --finish: #5fe3c0; --cancel: #f08cdc; --error: #ff5f55; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1100px; padding: 16px; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 22px; margin: 0 0 4px; } h2 { font-size: 17px; margin: 0 0 4px; }
p { margin: 0 0 10px; color: var(--soft); max-width: 75ch; }
.facts { display: flex; flex-wrap: wrap; gap: 6px 28px; margin: 12px 0; }
.facts div { font-size: 24px; font-weight: 600; font-variant-numeric: tabular-nums; }
.facts span { display: block; font-size: 13px; font-weight: 400; color: var(--soft); }
.facts .bad { color: var(--error); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px; margin: 0 0 14px; }
.plot { display: grid; grid-template-columns: minmax(90px, 190px) 1fr; gap: 4px 12px; align-items: center; margin: 8px 0 14px; }
.plot svg { display: block; width: 100%; height: 22px; overflow: visible; }
.plot .axis { position: relative; height: 22px; color: var(--soft); font-size: 12px; border-top: 1px solid var(--line); }
.plot .axis span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
.plot .axis span:first-child { transform: none; } .plot .axis span:last-child { transform: translateX(-100%); }
.unit { color: var(--soft); font-size: 12px; text-align: right; }
.wide { stroke: var(--soft); stroke-width: 2; } .box { fill: var(--wide); }
.middle { stroke: var(--bar); stroke-width: 4; } .grid { stroke: var(--line); stroke-width: 1; }
.finish { fill: var(--finish); } .cancel { fill: var(--cancel); } line { vector-effect: non-scaling-stroke; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 4px 10px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--soft); white-space: nowrap; } .n { text-align: right; white-space: nowrap; }
td { min-width: 110px; } td.n { min-width: 0; } td.text { min-width: 240px; }
@media (max-width: 520px) { .plot { grid-template-columns: 1fr; } .plot svg + bdi { margin-top: 6px; } .unit { text-align: left; } }
"""


# --- Words and numbers -----------------------------------------------------------------------------

def visible(text):
    """A name on one line: what is no sign to look at, and what turns the direction of writing, as its number."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text))


def number(value):
    """Four significant digits."""
    if value is None:
        return "–"
    value = float(value)
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "–"
    text = f"{value:.4g}"
    return text if "e" in text or abs(value) < 1e4 else f"{value:,.0f}"


def count(value, word):
    return f"{value:,} {word}" + ("" if value == 1 else "s")


def probability(p):
    return "< 0.0001" if p < 1e-4 else f"{p:.4f}" if p < 0.1 else f"{p:.2f}"


# --- What both forms have ----------------------------------------------------------------------------

class Column:
    def __init__(self, title, of, kind="number"):
        self.title, self.of, self.kind = title, of, kind


def interval(row):
    return "–" if row["low"] is None else f"{number(row['low'])} to {number(row['high'])}"


def sections(found):
    """Title, explanation, columns, rows, how many more there are, and the plot of each section."""
    source = ("that the recordings have of the progress at each release" if found["velocities_are"] == "metrics" else
              "by which the first question decided each gesture")
    yield ("Release velocity", f"Percentiles of the velocity {source}.", "velocities", [
        Column("build", lambda row: row["build"], "name"), Column("unit", lambda row: row["unit"], "name"),
        Column("releases", lambda row: f"{row['n']:,}"),
        *(Column(f"p{rank}", lambda row, rank=rank: number(row[f"p{rank}"])) for rank in (5, 25, 50, 75, 95))],
        velocity_plot)
    yield ("Flips", "Gestures that another rule decides otherwise. Lost: recorded finish, decided cancel. Gained: recorded "
           "cancel, decided finish. p is McNemar's, exact and two-sided: how often a rule that changes as many either way "
           "would be as far off.", "flips", [
               Column("flags", lambda row: row["flags"], "name"), Column("build", lambda row: row["build"], "name"),
               Column("gestures", lambda row: f"{row['n']:,}"), Column("lost", lambda row: f"{row['lost']:,}"),
               Column("gained", lambda row: f"{row['gained']:,}"), Column("p", lambda row: probability(row["p"]))],
           flip_plot)
    yield ("Hitches", "Milliseconds by which frames came late, per second of motion, of each transition. The interval is that "
           "of the median, 95 %, from ranks n/2 ± 0.98·√n.", "hitches", [
               Column("build", lambda row: row["build"], "name"), Column("transitions", lambda row: f"{row['n']:,}"),
               Column("p50", lambda row: number(row["p50"])), Column("interval", interval),
               Column("p90", lambda row: number(row["p90"])), Column("p95", lambda row: number(row["p95"]))],
           hitch_plot)
    yield ("Bad files", "What kymo says of files that have no good row, or a session without one; … is the file.",
           "sentences", [
               Column("files", lambda row: f"{row['files']:,}"), Column("exit", lambda row: str(row["exit"])),
               Column("sentence", lambda row: row["says"], "name"),
               Column("for example", lambda row: row["example"], "name")], None)


def summary(found):
    return [(found["files"], "files"), (found["files"] - found["bad"], "good"), (found["bad"], "bad"),
            (found["sessions"], "sessions")]


def origin(found):
    return f"Of every path the newest of {count(found['runs'], 'run')}; the last is {visible(found['newest'])}."


# --- Markdown ---------------------------------------------------------------------------------------

def code(text):
    """A name in a table: as code, in which nothing is markup, no address a link and no @ a mention."""
    text = visible(text)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    pad = " " if text[:1] in ("`", " ", "") or text[-1:] in ("`", " ") else ""
    return f"{fence}{pad}{text or ' '}{pad}{fence}".replace("|", r"\|")


def markdown_of(found):
    lines = ["# Recordings of a fleet", "", origin(found), "",
             ", ".join(f"{value:,} {word}" for value, word in summary(found)) + "."]
    for title, explanation, name, columns, _ in sections(found):
        lines += ["", f"## {title}", "", explanation, ""]
        rows = found[name]
        if not rows:
            lines += ["None."]
            continue
        lines += ["| " + " | ".join(column.title for column in columns) + " |",
                  "|" + "|".join("---" if column.kind == "name" else "---:" for column in columns) + "|"]
        lines += ["| " + " | ".join(code(column.of(row)) if column.kind == "name" else column.of(row)
                                    for column in columns) + " |" for row in rows]
        if found[f"more_{name}"]:
            lines += ["", f"And {found[f'more_{name}']:,} more."]
    return "\n".join(lines) + "\n"


# --- HTML -------------------------------------------------------------------------------------------

def escaped(text):
    return html.escape(visible(text))


def html_of(found):
    parts = ["<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
             f"<title>Recordings of a fleet</title><style>{STYLE}</style></head><body>"
             f"<h1>Recordings of a fleet</h1><p>{escaped(origin(found))}</p><div class=\"facts\">"]
    for value, word in summary(found):
        mark = ' class="bad"' if word == "bad" and value else ""
        parts.append(f"<div{mark}>{value:,}<span>{word}</span></div>")
    parts.append("</div>")
    for title, explanation, name, columns, plot in sections(found):
        parts.append(f"<section><h2>{title}</h2><p>{escaped(explanation)}</p>")
        rows = found[name]
        if not rows:
            parts.append("<p>None.</p></section>")
            continue
        if plot:
            parts.append(plot(rows))
        parts.append("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>" + "".join(
            f"<th{'' if column.kind == 'name' else ' class=n'}>{column.title}</th>" for column in columns)
            + "</tr></thead><tbody>")
        for row in rows:
            parts.append("<tr>" + "".join(
                f"<td{' class=text' if column.title in ('sentence', 'for example') else ''}><bdi>{escaped(column.of(row))}</bdi></td>"
                if column.kind == "name" else f"<td class=n>{escaped(column.of(row))}</td>" for column in columns) + "</tr>")
        parts.append("</tbody></table></div>")
        if found[f"more_{name}"]:
            parts.append(f"<p>And {found[f'more_{name}']:,} more.</p>")
        parts.append("</section>")
    return "".join(parts) + "</body></html>\n"


class Axis:
    """Values from left (0) to right (100), with round numbers."""

    def __init__(self, low, high):
        if not low < high:
            low, high = min(low, 0), max(high, 0) or 1
        # Halves: the difference of two numbers may be larger than any.
        step = 10.0 ** math.floor(math.log10(high / 2 - low / 2))
        while (high / 2 - low / 2) / step > 3:
            step *= 2.5 if f"{step:e}"[0] == "2" else 2
        first, last = math.floor(low / step), math.ceil(high / step)
        self.ticks = [place * step for place in range(first, last + 1)]
        self.low, self.high = self.ticks[0], self.ticks[-1]

    def place(self, value):
        return round(100 * (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2), 3)

    def lines(self):
        return "".join(line("grid", self.place(tick), self.place(tick), 0, 22) for tick in self.ticks)

    def numbers(self):
        return "<div class=\"axis\">" + "".join(
            f"<span style=\"left:{self.place(tick)}%\">{number(tick)}</span>" for tick in self.ticks) + "</div>"


def line(kind, left, right, top, bottom):
    return f"<line class=\"{kind}\" x1=\"{left}\" x2=\"{right}\" y1=\"{top}\" y2=\"{bottom}\"/>"


def box(kind, left, right, top=4, bottom=18):
    return f"<rect class=\"{kind}\" x=\"{left}\" y=\"{top}\" width=\"{round(max(0.3, right - left), 3)}\" height=\"{bottom - top}\"/>"


def strip(name, words, shapes):
    """A row of a plot: its name, and a drawing as wide as there is room."""
    return (f"<bdi>{escaped(name)}</bdi><svg viewBox=\"0 0 100 22\" preserveAspectRatio=\"none\" role=\"img\">"
            f"<title>{escaped(words)}</title>{shapes}</svg>")


def plot(strips, axis, unit):
    return f"<div class=\"plot\">{''.join(strips)}<bdi class=\"unit\">{escaped(unit)}</bdi>{axis.numbers()}</div>"


def velocity_plot(rows):
    """A plot for each unit: from p5 to p95 a line, from p25 to p75 a box, the median a mark."""
    plots = []
    for unit in sorted({row["unit"] or "" for row in rows}):
        own = [row for row in rows if (row["unit"] or "") == unit]
        axis = Axis(min(row["p5"] for row in own), max(row["p95"] for row in own))
        strips = []
        for row in own:
            x = {rank: axis.place(row[f"p{rank}"]) for rank in (5, 25, 50, 75, 95)}
            strips.append(strip(
                row["build"], f"{row['build']}: median {number(row['p50'])}, p5 {number(row['p5'])} to p95 {number(row['p95'])} {unit}",
                axis.lines() + line("wide", x[5], x[95], 11, 11) + box("box", x[25], x[75])
                + line("middle", x[50], x[50], 2, 20)))
        plots.append(plot(strips, axis, unit))
    return "".join(plots)


def flip_plot(rows):
    """To the left the share of gestures that is lost, to the right what is gained."""
    largest = max(max(row["lost"], row["gained"]) / row["n"] for row in rows) * 100
    axis = Axis(-largest, largest)
    strips = []
    for row in rows:
        lost, gained = (100 * row[name] / row["n"] for name in ("lost", "gained"))
        shapes = axis.lines()
        if lost:
            shapes += box("cancel", axis.place(-lost), axis.place(0))
        if gained:
            shapes += box("finish", axis.place(0), axis.place(gained))
        strips.append(strip(f"{row['flags']} · {row['build']}", f"{number(lost)} % lost, {number(gained)} % gained",
                            shapes + line("wide", axis.place(0), axis.place(0), 0, 22)))
    return plot(strips, axis, "%")


def hitch_plot(rows):
    """From the median to p95 a line, to p90 a box; the median a mark."""
    axis = Axis(0, max(row["p95"] for row in rows))
    strips = []
    for row in rows:
        x = {rank: axis.place(row[f"p{rank}"]) for rank in (50, 90, 95)}
        strips.append(strip(
            row["build"], f"{row['build']}: median {number(row['p50'])}, p90 {number(row['p90'])}, p95 {number(row['p95'])} ms/s",
            axis.lines() + line("wide", x[50], x[95], 11, 11) + box("box", x[50], x[90])
            + line("middle", x[50], x[50], 2, 20)))
    return plot(strips, axis, "ms/s")
