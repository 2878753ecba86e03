"""Recordings for the oracle of exports: gestures, scenarios and lines made by hand."""
import json
import math
import pathlib
import subprocess

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "Fixtures"
HOSTILE = "</title><script>globalThis.hacked=1</script>\"',;\n=1+1 \u202e\u2028é"


def header(name, viewport=(300, 200)):
    return {"kymograph": 1, "name": name, "refreshRate": 100, "viewport": list(viewport)}


def turns():
    """Turned, mirrored and scaled items in uneven frames, with a content offset that moves."""
    lines = [header("turns")]
    time = 0
    for step in range(60):
        angle = step * 7 * math.pi / 180
        cos, sin = math.cos(angle), math.sin(angle)
        items = [
            {"id": "spin", "center": [80, 70 + step], "size": [60, 30], "transform": [cos, sin, -sin, cos, 5, -3]},
            {"id": "mirror", "center": [200, 100 + step], "size": [40, 50], "alpha": 1 - step / 80,
             "transform": [-1, 0, 0, 1 + step / 60, 0, 0]},
            {"id": "plain", "center": [150 + step * step / 50, 150 + step], "size": [30 + step, 20]},
        ]
        lines.append({"t_ns": time, "frame": {
            "progress": step / 60, "contentOffset": [0, step], "contentSize": [300, 900], "items": items}})
        lines.append({"t_ns": time, "key": "progress", "value": step / 60})
        time += 10_000_000 + (step * 7919) % 3_000_000
    lines.append({"t_ns": time, "event": "mark", "text": "end"})
    return lines


def layers():
    """Items that come, go, hide and change their order, named as badly as can be; a pause in the middle."""
    lines = [header("layers " + HOSTILE)]
    time = 0
    for step in range(30):
        items = [{"id": "floor", "center": [150, 100], "size": [200, 120], "zIndex": 0}]
        if step >= 5:
            items.append({"id": HOSTILE, "center": [100 + 3 * step, 80], "size": [50, 50],
                          "zIndex": 1 if step < 15 else -1, "hidden": 20 <= step < 24})
        if step < 25:
            items.append({"id": "badge", "kind": "supplementary", "elementKind": "b",
                          "center": [120, 60 + 2 * step], "size": [20, 20], "zIndex": 5})
        lines.append({"t_ns": time, "frame": {"contentSize": [300, 200], "items": items}})
        lines.append({"t_ns": time, "key": "=HYPERLINK(\"x\")", "value": math.sin(step) * 1e-9, "unit": "@"})
        time += 600_000_000 if step == 10 else 10_000_000
    return lines


def backwards():
    """Clocks that step back, values at one instant, and nothing else."""
    # As an export says it: its lines are taken as they stand.
    lines = [header("backwards") | {"recorded": {}}]
    for step, time in enumerate([0, 20, 20, 10, 30, 5, 40]):
        lines.append({"t_ns": time * 1_000_000, "frame": {
            "items": [{"id": "a", "center": [20 + step, 20], "size": [10, 10]}]}})
        lines.append({"t_ns": time * 1_000_000, "key": "k", "value": -0.0 if step == 3 else 0.1 * step})
        lines.append({"t_ns": time * 1_000_000, "event": "mark", "n": step})
    return lines


def make_recordings(kymo, folder):
    """Paths by name; poses are plain rows in all of them."""
    made = {}

    def run(*words, text=None):
        subprocess.run([kymo, *map(str, words)], capture_output=True, text=True, input=text, check=True)

    def place(name):
        path = made[name] = pathlib.Path(folder) / f"{name}.kymo"
        path.unlink(missing_ok=True)
        return path

    run("record", "--scenario", FIXTURES / "scenarios/grid-to-detail.pinch.json", "--gesture",
        FIXTURES / "gestures/pinch-open.evemu", "--into", place("pinch"))
    for name, scenario in [("insert", "insert.fly-in"), ("circle", "circle"), ("follow", "follow-finger")]:
        run("record", "--scenario", FIXTURES / f"gallery/{scenario}.json", "--into", place(name))
    for name, lines in [("turns", turns()), ("layers", layers()), ("backwards", backwards()),
                        ("nothing", [header("nothing")])]:
        run("record", "--from-ndjson", "-", "--into", place(name), text="".join(
            json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    for path in made.values():
        run("file", "unpack", path)
    return made
