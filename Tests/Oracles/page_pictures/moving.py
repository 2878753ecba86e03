"""Draws a drag that moves: python3 Tests/Oracles/page_pictures/moving.py KYMO RECORDING ELEMENT FROM_MS TO_MS >PICTURE

An SVG of ten seconds in a loop: the finger and the element on the page, and both curves as they grow. Numbers and words are
those of the recording: its poses, its touches and the fault in its story. Styles alone move it, so it also moves as an image
of another page. Whoever asks for less motion sees its last instant. FROM_MS and TO_MS count from the landing of the finger.
"""
import csv
import html
import io
import json
import re
import subprocess
import sys

LOOP_SECONDS = 10
# The recording is played between these parts of the loop. Before them nothing moves yet, and after them the curve is read.
BEGINS, ENDS = 4, 80
WIDTH, HEIGHT = 840, 430
# The page, its top left out: both sides of the picture have one scale for y, so that a curve is as high as the element.
SCALE, TOP_PX, PAGE_X, PAGE_Y = 0.53, 140, 24, 28
CHART_X, CHART_WIDTH = 290, 520
SHORTEST_TICK_MS = 100
# For so long after the lift the speed of the finger goes on as a straight line.
GHOST_MS = 50

STYLE = """
  text { font: 15px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328 }
  .card { fill: #fff; stroke: #d0d7de } .page { fill: #eaeef2 } .grid { stroke: #d8dee4 } .quiet { fill: #59636e }
  .element { fill: #2f6fb5 } .finger { fill: #fff; fill-opacity: .35; stroke: #fff; stroke-width: 2 } .name { fill: #fff }
  .curve { fill: none; stroke: #2f6fb5; stroke-width: 3; stroke-linejoin: round }
  .touch { fill: none; stroke: #1f2328; stroke-width: 2; stroke-dasharray: 5 4 }
  .dot { fill: #2f6fb5 } .head { stroke: #59636e } .fault { fill: #cf222e; font-weight: 600 }
  .lost { stroke: #cf222e; stroke-width: 2; stroke-dasharray: 2 4; stroke-linecap: round }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .card { fill: #0d1117; stroke: #3d444d } .page { fill: #21262d } .grid { stroke: #262c36 }
    .quiet { fill: #9198a1 } .curve { stroke: #6cb0ff } .touch { stroke: #e6edf3 }
    .dot { fill: #6cb0ff } .head { stroke: #9198a1 } .fault { fill: #ff7b72 } .lost { stroke: #ff7b72 }
  }"""


def number(value):
    """As short as a tenth of a unit allows."""
    return f"{round(value, 1) + 0:g}"


def rows(kymo, recording, query):
    printed = subprocess.run([kymo, "sql", recording, query, "--format", "csv"], check=True, capture_output=True, text=True)
    return list(csv.DictReader(io.StringIO(printed.stdout)))


def fault(kymo, recording):
    """The first fault of the story, without its intervals."""
    printed = subprocess.run([kymo, "show", recording + "#1", "--json"], check=True, capture_output=True, text=True)
    says = next(row["says"] for row in json.loads(printed.stdout) if row["fault"])
    return html.escape(re.sub(r" \([^)]*\)| at its last report", "", says))


def keyframes(name, style, points):
    """Points are percent and value; equal values in a row keep their first and last."""
    kept = [point for index, point in enumerate(points)
            if not 0 < index < len(points) - 1 or not points[index - 1][1] == point[1] == points[index + 1][1]]
    steps = " ".join(f"{percent:.3g}% {{ {style.replace('#', value)} }}" for percent, value in kept)
    return f"    @keyframes {name} {{ {steps} }}\n"


def draw(kymo, recording, element, first, last):
    touches = [(int(row["t_ns"]) / 1e6, float(row["x"]), float(row["y"])) for row in
               rows(kymo, recording, "SELECT t_ns, x, y FROM touches WHERE contact = 0 ORDER BY t_ns")]
    poses = [(int(row["t_ns"]) / 1e6, float(row["center_x"]), float(row["center_y"]), float(row["width"]), float(row["height"]))
             for row in rows(kymo, recording, "SELECT t_ns, center_x, center_y, width, height FROM attributes "
                             f"WHERE id = '{element}' ORDER BY t_ns")]
    viewport = rows(kymo, recording, "SELECT viewport_width AS width, viewport_height AS height FROM sessions")[0]
    landed, lifted = touches[0][0], touches[-1][0]
    words = fault(kymo, recording)
    speed = float(re.search(r"let go at (-?[\d.]+) px/s", words).group(1))

    percent = lambda time: BEGINS + (ENDS - BEGINS) * min(1, max(0, (time - landed - first) / (last - first)))
    chart_x = lambda time: CHART_X + CHART_WIDTH * (time - landed - first) / (last - first)
    chart_y = lambda y: PAGE_Y + SCALE * (y - TOP_PX)
    page_x = lambda x: PAGE_X + SCALE * x

    def line(points):
        return " ".join(f"{number(chart_x(time))},{number(chart_y(y))}" for time, y in points)

    def follow(name, points):
        """Moves from the last point, at which it is drawn, to where each point was."""
        end = points[-1][1]
        moves = [(percent(time), f"translateY({number(SCALE * (y - end))}px)") for time, y in points]
        return keyframes(name, "transform: #", [(0, moves[0][1]), *moves, (100, moves[-1][1])])

    element_y = [(time, y) for time, _, y, _, _ in poses if time <= landed + last]
    finger_y = [(time, y) for time, _, y in touches]
    end_y, lift_y = element_y[-1][1], finger_y[-1][1]
    _, center_x, _, width, height = poses[-1]
    page_width, page_height = SCALE * float(viewport["width"]), SCALE * (float(viewport["height"]) - TOP_PX)
    at_lift = next((time, y) for time, y in element_y if time >= lifted)
    ghost = [at_lift, (at_lift[0] + GHOST_MS, at_lift[1] + speed * GHOST_MS / 1000)]
    bottom = chart_y(finger_y[0][1]) + 26
    shown = lambda time: [(0, "0"), (percent(time), "0"), (percent(time) + 1, "1"), (100, "1")]

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="title">\n'
           f'<title id="title">{element}: {words}</title>\n<style>{STYLE}\n'
           "  @media (prefers-reduced-motion: no-preference) {\n"
           f"    .y, .f, .t, .grown, .lifted, .told {{ animation: {LOOP_SECONDS}s linear infinite }}\n"
           "    .y { animation-name: y } .f { animation-name: f } .t { animation-name: t } .grown { animation-name: grown }\n"
           "    .lifted { animation-name: lifted } .told { animation-name: told }\n",
           follow("y", element_y), follow("f", finger_y),
           keyframes("t", "transform: translateX(#px)", [(0, number(-CHART_WIDTH)), (BEGINS, number(-CHART_WIDTH)), (ENDS, "0"),
                                                         (100, "0")]),
           keyframes("grown", "transform: scaleX(#)", [(0, "0"), (BEGINS, "0"), (ENDS, "1"), (100, "1")]),
           keyframes("lifted", "opacity: #", [(0, "1"), (percent(lifted), "1"), (percent(lifted) + 2, "0"), (100, "0")]),
           keyframes("told", "opacity: #", shown(at_lift[0])),
           "  }\n"
           f"  .grown {{ transform-origin: {CHART_X}px 0 }} .lifted {{ opacity: 0 }}\n</style>\n",
           f'<rect class="card" x=".5" y=".5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="8"/>\n'
           f'<clipPath id="page"><rect x="{PAGE_X}" y="{PAGE_Y}" width="{number(page_width)}" height="{number(page_height)}" '
           'rx="10"/></clipPath>\n'
           f'<clipPath id="grown"><rect class="grown" x="{CHART_X}" y="0" width="{CHART_WIDTH}" height="{HEIGHT}"/></clipPath>\n'
           f'<rect class="page" x="{PAGE_X}" y="{PAGE_Y}" width="{number(page_width)}" height="{number(page_height)}" rx="10"/>\n']
    for milliseconds in range(0, int(last) + 1, SHORTEST_TICK_MS):
        x = number(chart_x(landed + milliseconds))
        out.append(f'<path class="grid" d="M{x} {PAGE_Y}V{number(bottom)}"/>'
                   f'<text class="quiet" x="{x}" y="{number(bottom + 20)}" text-anchor="middle">{milliseconds}</text>\n')
    out += [f'<text class="quiet" x="{CHART_X + CHART_WIDTH}" y="{number(bottom + 40)}" text-anchor="end">'
            "ms since the finger landed</text>\n",
            # The element, with a line to its curve.
            f'<g clip-path="url(#page)"><g class="y"><rect class="element" x="{number(page_x(center_x - width / 2))}" '
            f'y="{number(chart_y(end_y - height / 2))}" width="{number(SCALE * width)}" height="{number(SCALE * height)}" rx="8"/>'
            f'<text class="name" x="{number(page_x(center_x))}" y="{number(chart_y(end_y - height / 2) + 24)}" '
            f'text-anchor="middle">{element}</text></g></g>\n'
            '<g clip-path="url(#grown)">'
            f'<polyline class="touch" points="{line(finger_y)}"/><polyline class="curve" points="{line(element_y)}"/></g>\n',
            f'<g class="told"><path class="lost" d="M{line(ghost).replace(" ", "L")}"/>'
            f'<text class="fault" x="{number(chart_x(ghost[1][0]) + 8)}" y="{number(chart_y(ghost[1][1]) + 6)}">'
            "the finger’s speed</text>"
            f'<text class="fault" x="{CHART_X}" y="{HEIGHT - 44}">! {element}: {words}</text></g>\n',
            f'<text class="quiet" x="{CHART_X}" y="{HEIGHT - 20}">dashed: the finger, line: the {element}, '
            f'{round(LOOP_SECONDS * 10 * (ENDS - BEGINS) / (last - first))} times slower</text>\n',
            f'<g class="t"><path class="head" d="M{CHART_X + CHART_WIDTH} {PAGE_Y}V{number(bottom)}"/>'
            f'<g class="y"><circle class="dot" cx="{CHART_X + CHART_WIDTH}" cy="{number(chart_y(end_y))}" r="6"/></g></g>\n',
            f'<g class="lifted"><g class="f"><circle class="finger" cx="{number(page_x(touches[-1][1]))}" '
            f'cy="{number(chart_y(lift_y))}" r="13"/></g></g>\n</svg>\n']
    return "".join(out)


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    sys.stdout.write(draw(*sys.argv[1:4], *map(float, sys.argv[4:])))
