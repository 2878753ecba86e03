"""What a reader sees at a look: hues, the threshold that decided, words that cross no curve, numbers of the lanes."""
import itertools
import json
import math
import pathlib
import re

from report_page.rows import Recording

SCENARIO = pathlib.Path(__file__).resolve().parent.parent.parent / "Fixtures" / "scenarios" / "grid-to-detail.pinch.json"
# Machado, Oliveira and Fernandes (2009), severity 1, of linear light.
EYES = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900))}
# In CIE Lab a difference of 2 is just seen side by side; this one is seen across a page.
LEAST_DIFFERENCE = 14
SETTLED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def lab(color, eye):
    parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    red, green, blue = (min(1, max(0, sum(a * b for a, b in zip(row, linear)))) for row in EYES[eye])
    xyz = [(0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505, 0.2126 * red + 0.7152 * green + 0.0722 * blue,
           (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089]
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def nearest(colors):
    """The two colours that some eye tells apart worst."""
    return min((sum((a - b) ** 2 for a, b in zip(lab(one, eye), lab(other, eye))) ** 0.5, eye, one, other)
               for one, other in itertools.combinations(colors, 2) for eye in EYES)


def test_hues(browser, place, pages, check):
    """Finish, cancel, error and both runs; the colours of items, the same in page, filmstrip and export."""
    for dark in [False, True]:
        browser.look(dark=dark)
        browser.open(pages["pair"])
        hues = browser.evaluate("['finish', 'cancel', 'error', 'run-a', 'run-b'].map((name) => "
                                "getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim())")
        check(f"hues are told apart by all eyes, dark {dark}", nearest(hues)[0] >= LEAST_DIFFERENCE, str(nearest(hues)))
        shown = browser.evaluate("[...document.querySelectorAll('#releases button')].map((b) => "
                                 "getComputedStyle(b.querySelector('.outcome')).backgroundColor)")
        told = ["rgb(" + ", ".join(str(int(hue[i:i + 2], 16)) for i in (1, 3, 5)) + ")" for hue in hues[:2]]
        check("finish and cancel have their hues", shown == told, f"{shown} for {told}")
    browser.look()
    browser.open(pages["open"], "#t=0.366")
    fills = {item["id"]: item["fill"] for item in browser.evaluate("kymograph.items()")}
    cells = set(fills.values()) - {fills["fruit/header"]}
    check("items are told apart by all eyes", len(cells) > 4 and nearest(cells | {fills["fruit/header"]})[0] >= 13,
          str(nearest(cells)))
    path = pages["open"].with_suffix(".kymo")
    place.run("plot", "--film", path, "--frames", "3", "-o", place.folder / "strip.svg")
    place.run("export", "svg", path, "-o", place.folder / "export.svg")
    strip = {name: fill for fill, name in re.findall(
        r'fill="(#\w{6})"[^>]*><title>([^<]*)<', (place.folder / "strip.svg").read_text())}
    export = {name: fill for name, fill in re.findall(
        r'data-id="([^"]*)".*?<rect [^>]*fill="(#\w{6})"', (place.folder / "export.svg").read_text(), re.S)}
    check("the filmstrip has them", len(strip) > 4 and all(fills.get(name, fill) == fill for name, fill in strip.items()),
          f"{strip} for {fills}")
    check("the export has them", len(export) > 4 and all(fills.get(name, fill) == fill for name, fill in export.items()),
          f"{export} for {fills}")


def texts(browser, name="progress"):
    return [one["text"] for one in browser.evaluate(f"kymograph.words({json.dumps(name)})")]


def test_thresholds(browser, place, pages, check):
    """The threshold that decided and the margin to it stand in the lane of the progress."""
    browser.open(pages["open"])
    check("the lane tells threshold and margin", {"threshold 0.5", "0.339 past the threshold"} <= set(texts(browser)), str(texts(browser)))
    others = [text for key in ["PositionX", "scale"] for text in texts(browser, key)]
    check("and no other lane does", not any("threshold" in text or "past" in text for text in others), str(others))
    browser.open(pages["pair"])
    found = texts(browser)
    check("one threshold of two runs is told once, and both margins", found.count("threshold 0.5") == 1
          and all(any(text.startswith(words) for text in found) for words in ["A 0.339 past", "B 0.433 short"]), str(found))
    for rule, words, head in [
            ("velocity", "speed past the threshold 0.5 /s, 3.21 /s from flipping", "speed past the threshold 0.5 /s, 3.21 /s from"),
            ("projection", "projected to 2.19, 1.69 past the threshold", "projected to 2.19 (1.69 past the threshold 0.5)")]:
        plan = SCENARIO.read_text().replace('"rule": "progress", "threshold": 0.5', f'"rule": "{rule}"')
        path = place.record(rule, "scenarios/grid-to-detail.pinch.json", "pinch-open.evemu", change=lambda _: plan)
        browser.open(place.page(rule, path))
        check(f"the rule {rule} tells what decided", words in texts(browser), str(texts(browser)))
        check("a velocity has no line in the lane of the progress",
              ("threshold 0.5" in texts(browser)) == (rule != "velocity"), str(texts(browser)))
        shown = browser.evaluate("document.querySelector('#releases button').textContent")
        check(f"and the head tells it of {rule}", head in shown, shown)


# Pixels of a curve's own colour within each of the words of its lane.
CROSSED = """(() => { const name = %s; const canvas = document.getElementById('plot-base'); const g = canvas.getContext('2d');
  const style = getComputedStyle(document.documentElement); const hue = (v) => { const t = style.getPropertyValue(v).trim();
    return [1, 3, 5].map((i) => parseInt(t.slice(i, i + 2), 16)); };
  const hues = %s.map(hue); let count = 0;
  for (const { left, top, width, height } of kymograph.words(name)) {
    const { data } = g.getImageData(left, top, width, height);
    for (let i = 0; i < data.length; i += 4) for (const h of hues)
      if (data[i + 3] > 150 && Math.abs(data[i] - h[0]) + Math.abs(data[i + 1] - h[1]) + Math.abs(data[i + 2] - h[2]) < 24) count += 1;
  } return count; })()"""


def test_words(browser, pages, check):
    """Velocities of both runs have words, and words cross no curve."""
    for width in [1400, 1280, 390]:
        browser.look(width=width)
        browser.open(pages["pair"])
        browser.evaluate(SETTLED)
        for name in ["progress", "PositionX", "PositionY", "scale"]:
            found = texts(browser, name)
            check(f"both velocities of {name} are told at {width}", all(any(re.match(letter + r" -?[0-9.]+ .*/s", text)
                                                                            for text in found) for letter in "AB"), str(found))
    for width in [1400, 390]:
        browser.look(width=width)
        for page, hues in [("pair", ["--run-a", "--run-b"]), ("open", ["--k0"])]:
            browser.open(pages[page])
            browser.evaluate(SETTLED)
            for name in ["progress", "PositionX", "PositionY", "scale"] if page == "pair" else ["progress"]:
                crossed = browser.evaluate(CROSSED % (json.dumps(name), json.dumps(hues)))
                check(f"words cross no curve of {name} in {page} at {width}", crossed == 0, str(crossed))
    browser.look()


# Stretches of B's colour within the names on the stage, longer than any stroke of a letter.
COVERED_NAMES = """(() => { const canvas = document.getElementById('stage-A'); const g = canvas.getContext('2d');
  const text = getComputedStyle(document.documentElement).getPropertyValue('--run-b').trim();
  const hue = [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16)); let count = 0;
  for (const { left, top, width, height } of kymograph.names()) {
    const { data, width: w, height: h } = g.getImageData(left, top + 1, width, height - 2);
    const is = (x, y) => [0, 1, 2].every((k) => Math.abs(data[4 * (y * w + x) + k] - hue[k]) < 12);
    for (const [m, n, at] of [[w, h, is], [h, w, (y, x) => is(x, y)]])
      for (let j = 0; j < n; j++) for (let i = 0, run = 0; i < m; i++) { run = at(i, j) ? run + 1 : 0; count += run === 11; } }
  return count; })()"""
CAPTION = "[...document.querySelectorAll('#caption-A div')].map((e) => e.textContent)"


def test_two_on_a_stage(browser, pages, recordings, check):
    """B's outlines leave the names of A's items alone, and each run says how far off its own release is."""
    decisions = [recordings[letter].rows("decisions")[0] for letter in "AB"]
    for width in [1400, 390]:
        browser.look(width=width)
        browser.open(pages["pair"], "#t=0.2")
        browser.evaluate("document.getElementById('show-touches').click()")
        for moment in [0.1, 0.2, 0.366, 0.5, 0.9]:
            browser.evaluate(f"kymograph.seek({moment})")
            names, covered = browser.evaluate("kymograph.names().length"), browser.evaluate(COVERED_NAMES)
            check(f"no outline crosses a name at {moment} s and {width}", names > 2 and covered == 0, f"{names} {covered}")
    browser.look()
    for moment in [200_000_000, decisions[0]["t_ns"], 900_000_000]:
        browser.evaluate(f"kymograph.seek({moment / 1e9!r})")
        shown = browser.evaluate(CAPTION)
        for words, decision, letter, drawn in zip(shown, decisions, "AB", ["filled", "outlined"]):
            away = decision["t_ns"] - moment - browser.evaluate(f"kymograph.shift('{letter}')")
            right = (f"at its {decision['outcome']}" if away == 0 else
                     f"{abs(away) / 1e9:.3f} s {'before' if away > 0 else 'after'} its {decision['outcome']}")
            check(f"{letter} at {moment} ns says how far off its release is",
                  words.startswith(f"{letter}, {drawn}: frame ") and words.endswith(right), f"{words} for {right}")
    head = browser.evaluate("[...document.querySelectorAll('#releases button')].map((e) => e.textContent)")
    shift = browser.evaluate("kymograph.shift('B')")
    check("the head has B's release on the page's clock",
          f"At {(decisions[1]['t_ns'] - shift) / 1e9:.3f} s: " in head[1], str(head))


def test_numbers(browser, pages, check):
    """Each lane has round numbers at the heights of their values, and no curve reaches them."""
    for page, width in [("open", 1400), ("pair", 1400), ("pair", 390)]:
        browser.look(width=width)
        browser.open(pages[page])
        for _ in range(3):
            for name in ["progress", "PositionX", "PositionY", "scale"]:
                numbers = browser.evaluate(f"kymograph.numbers({json.dumps(name)})")
                values = [one["value"] for one in numbers]
                steps = {round(b - a, 9) for a, b in itertools.pairwise(values)}
                check(f"{name} of {page} at {width} has round numbers", len(values) >= 2 and len(steps) == 1
                      and f"{min(steps):e}"[0] in "125" and all(float(one["text"]) == one["value"] for one in numbers), str(numbers))
                apart = min(abs(b["y"] - a["y"]) for a, b in itertools.pairwise(numbers))
                off = max(abs(one["y"] - browser.evaluate(f"kymograph.heightOf({json.dumps(name)}, {one['value']})")) for one in numbers)
                check("that stand at their heights", apart >= 20 and off < 1e-9, f"{apart} {off}")
            reached = browser.evaluate(CROSSED.replace("kymograph.words(name)", "[{ left: 0, top: 200, width: 36, height: 300 }]")
                                       % ('""', '["--run-a", "--run-b", "--k0", "--k1", "--finish", "--cancel"]'))
            check(f"no curve reaches the numbers of {page} at {width}", reached == 0, str(reached))
            browser.press("z")
    browser.look()
    browser.open(pages["open"], "#t=0.3&item=pear")
    for part in ["x", "y", "width", "height"]:
        numbers = browser.evaluate(f"kymograph.numbers('pear {part}')")
        check(f"the low lane of an item's {part} has two numbers at least", len(numbers) >= 2, str(numbers))
    numbers = browser.evaluate("kymograph.numbers('pear alpha')")
    check("a still curve has its value", [one["text"] for one in numbers] == ["1"], str(numbers))
    browser.open(pages["pair"])
    browser.press("End")
    values = browser.evaluate("[...document.querySelectorAll('#labels b.key ~ .value')].map((e) => e.textContent)")
    check("what has come to rest at 0 is 0", len(values) == 5 and not any("e-" in value for value in values), str(values))


def test_facts(browser, pages, check):
    """The head's counts are those of the verdict, and what is no common word is explained."""
    browser.open(pages["pair"])
    facts = browser.evaluate("[...document.querySelectorAll('#facts div:not(.run)')].map((e) => "
                             "[...e.children].map((one) => one.textContent).concat(e.firstChild.title))")
    verdict = browser.evaluate("document.getElementById('verdict').textContent")
    compared = int(re.search(r"of (\d+) keys differ", verdict)[1])
    keys = [sum(map(int, re.findall(r"\d+", value))) for name, value, _ in facts if name == "keys"]
    check("as many keys as are compared", keys == [compared] * 2, f"{keys} {verdict}")
    explained = {name for name, _, title in facts if title}
    titles = browser.evaluate("[...document.querySelectorAll('#releases button')].map((e) => e.title)")
    check("so is what the velocity is of", len(titles) == 2 and all("1 is the whole transition" in one for one in titles), str(titles))
    check("hitches and keys are explained", {"update hitches", "keys"} <= explained, str(facts))
    text = browser.evaluate("document.getElementById('lists').textContent")
    check("the clock is explained", "A: Times are computed by the engine, not measured." in text and "virtual" not in
          browser.evaluate("document.querySelector('header').textContent"))
    check("so is what was installed", "layout installed: detail" in text and "install:" not in text)
    check("a warning stands in the head once", browser.evaluate("document.querySelectorAll('#remarks li').length") == 2)


# Strong pixels below the statistics in the lanes, but for the lines of releases, which go through all lanes.
COVERED = """(() => { const canvas = document.getElementById('plot-base'); const at = canvas.getBoundingClientRect();
  const g = canvas.getContext('2d'); let count = 0;
  for (const words of [...document.querySelectorAll('#selection p')].slice(1)) { const b = words.getBoundingClientRect();
    const { data, width } = g.getImageData(b.left - at.left, b.top - at.top + 1, b.width, b.height - 2);
    const columns = new Set(); let strong = 0;
    for (let i = 3; i < data.length; i += 4) if (data[i] > 150) { columns.add((i - 3) / 4 % width); strong += 1; }
    if (columns.size > 6) count += strong; }
  return count; })()"""
FOCUS = "document.activeElement.id || document.activeElement.tagName"


def press_at(browser, selector):
    """A click of the pointer in the middle of an element."""
    x, y = browser.evaluate(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{ block: "
                            "'nearest' }); const b = e.getBoundingClientRect();"
                            "return [b.left + b.width / 2, b.top + b.height / 2]; })()")
    point(browser, x, y, "mousePressed", "mouseReleased")


def point(browser, x, y, *kinds, shift=False):
    for kind in kinds:
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, modifiers=8 if shift else 0,
                     **({} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}))


def test_controls(browser, pages, check):
    """One row of controls, the others behind a menu; the focus is never kept from the keys."""
    for width in [1400, 390]:
        browser.look(width=width)
        browser.open(pages["pair"])
        shown = browser.evaluate("[...document.querySelectorAll('#timeline-section button, #timeline-section select, "
                                 "#stage-section input')].filter((e) => e.checkVisibility() && !e.closest('#labelling'))"
                                 ".map((e) => e.getBoundingClientRect().top)")
        check(f"the controls are one row at {width}", len(shown) == 7 and max(shown) - min(shown) < 2, str(shown))
    browser.look()
    browser.open(pages["open"], "#t=0.25")
    press_at(browser, "#more")
    check("the menu opens", browser.evaluate("document.getElementById('loop').checkVisibility()"))
    for key in ["t", "y"]:
        browser.press(key)
    browser.press("ArrowRight")
    check("after T and Y an arrow is a frame", browser.state()["frame"] == "31", str(browser.state()))
    browser.evaluate("document.getElementById('speed').focus()")
    browser.press("Escape")
    check("Escape leaves a list and closes the menu", browser.evaluate(FOCUS) == "plot"
          and not browser.evaluate("document.getElementById('loop').checkVisibility()"), browser.evaluate(FOCUS))
    browser.press(" ")
    check("and space plays", browser.state()["state"] == "playing", str(browser.state()))
    browser.press(" ")
    browser.press("m")
    browser.evaluate("document.getElementById('range-low').focus()")
    browser.press("Escape")
    check("Escape leaves a field", browser.evaluate(FOCUS) == "plot", browser.evaluate(FOCUS))
    browser.press("m")
    press_at(browser, "#range-row")
    browser.evaluate("(() => { const e = document.getElementById('range-mode'); e.focus(); e.value = 'shared';"
                     "e.dispatchEvent(new Event('change', { bubbles: true })); })()")
    check("a choice by the pointer gives the keys back", browser.evaluate(FOCUS) == "plot", browser.evaluate(FOCUS))


LANES = "[...document.querySelectorAll('#labels b.key')].map((e) => e.textContent)"
PARTS = [("x", "center_x"), ("y", "center_y"), ("width", "width"), ("height", "height"), ("alpha", "alpha")]


def press_item(browser, name):
    """A click of the pointer on an item of the stage, near its upper left corner, where nothing lies over it."""
    x, y = browser.evaluate(
        f"(() => {{ const one = kymograph.places().find(({{ item }}) => item.id === {json.dumps(name)});"
        "const b = document.getElementById('stage-A').getBoundingClientRect(); const [x, y] = one.points[0];"
        "return [b.left + 3 + x + 6, b.top + 3 + y + 6]; })()")
    point(browser, x, y, "mousePressed", "mouseReleased")


def test_item(browser, place, pages, recordings, check):
    """A click on an item shows its values, as recorded, and adds its curves; another click takes them away."""
    browser.open(pages["open"], "#t=0.3")
    before = browser.evaluate(LANES)
    press_item(browser, "pear")
    row = next(row for row in recordings["A"].items_at(300_000_000).values() if row["id"] == "pear")
    told = browser.evaluate("document.getElementById('item').innerText")
    check("a click tells the item's values", f"center {row['center_x']:.1f}, {row['center_y']:.1f} pt" in told
          and f"size {row['width']:.1f} × {row['height']:.1f} pt" in told and "alpha 1, z 0" in told, told)
    check("and adds its curves", browser.evaluate(LANES) == before + [f"pear {name}" for name, _ in PARTS],
          str(browser.evaluate(LANES)))
    check("and keeps it in the address", browser.evaluate("location.hash").endswith("&item=pear"),
          browser.evaluate("location.hash"))
    times = recordings["A"].times
    for moment in times[3::20]:
        browser.evaluate(f"kymograph.seek({moment / 1e9!r})")
        row = next(row for row in recordings["A"].items_at(moment).values() if row["id"] == "pear")
        off = max(abs(browser.evaluate(f"kymograph.value('pear {name}')") - row[column]) for name, column in PARTS)
        check(f"its curves are what was recorded at {moment} ns", off <= 1 / 2048 + 1e-9, str(off))
    browser.evaluate("kymograph.seek(0.3)")
    press_item(browser, "plum")
    check("another item takes its place", browser.evaluate(LANES) == before + [f"plum {name}" for name, _ in PARTS],
          str(browser.evaluate(LANES)))
    press_item(browser, "plum")
    check("a second click takes it away", browser.evaluate(LANES) == before
          and not browser.evaluate("document.getElementById('item').checkVisibility()"), str(browser.evaluate(LANES)))
    browser.open(pages["pair"], "#t=0.3&item=pear")
    told = browser.evaluate("[...document.querySelectorAll('#item-values p')].map((e) => e.textContent)")
    right = [next(row for row in recordings[letter].items_at(300_000_000 + shift).values() if row["id"] == "pear")
             for letter, shift in [("A", 0), ("B", browser.evaluate("kymograph.shift('B')"))]]
    check("of two runs it tells both", all(words.startswith(f"{letter} center {row['center_x']:.1f}, {row['center_y']:.1f} pt")
                                           for letter, row, words in zip("AB", right, told)), f"{told} {right}")
    browser.press("Escape")
    check("Escape drops it", browser.state()["item"] == "", str(browser.state()))
    browser.evaluate("document.getElementById('item-details').open = true")
    browser.evaluate("kymograph.seek(0.3)")
    rows = browser.evaluate("[...document.querySelectorAll('#item-rows tr')].map((row) => "
                            "[...row.cells].slice(0, 3).map((cell) => cell.textContent))")
    check("items of two runs are listed with A and B", [row[1] for row in rows[:4]] == ["A", "B", "A", "B"]
          and rows[0][0] == rows[1][0], str(rows[:4]))
    apart = [float(row[2].split(" ")[0]) for row in rows]
    check("the farthest apart first", apart == sorted(apart, reverse=True) and apart[0] > apart[-1], str(apart))
    browser.evaluate("(() => { const b = document.querySelector('#item-rows button'); b.focus(); b.click(); })()")
    check("the list chooses too, and keeps the focus", browser.state()["item"] == rows[0][0]
          and browser.evaluate("document.activeElement.dataset.item") == rows[0][0] + " A", str(browser.state()))
    lines = [{"t_ns": t * 10**7, "frame": {"contentOffset": [0, 0], "contentSize": [100, 100], "items": [
        {"id": name, "frame": [min(t, rest), 0, 9, 9], "alpha": 1, "zIndex": 0, "hidden": False}
        for name, rest in [("early", 20), ("late", 40), ("still", 0)]]
        + [{"id": "away", "frame": [300 + min(t, 50), 0, 9, 9], "alpha": 1, "zIndex": 0, "hidden": False}]}} for t in range(60)]
    browser.open(place.page("late", place.record_lines("late", {"viewport": [100, 100]}, lines)))
    facts = browser.evaluate("document.getElementById('facts').textContent")
    check("the head says which item in sight is the last to rest", "last in view to restlate at 0.390 s" in facts, facts)
    browser.evaluate("document.getElementById('item-details').open = true")
    browser.evaluate("kymograph.seek(0.1)")
    rows = browser.evaluate("[...document.querySelectorAll('#item-rows tr')].map((row) => [row.cells[0].textContent, row.cells[5].textContent])")
    check("the last to come to rest is the first in the list",
          rows == [["away", "0.010 to 0.490 s"], ["late", "0.010 to 0.390 s"], ["early", "0.010 to 0.190 s"], ["still", "–"]], str(rows))


def lane_place(browser, name, moment):
    """Where in the window the middle of a lane is at a time of A's clock, in seconds."""
    return browser.evaluate(f"kymograph.placeOf({json.dumps(name)}, {moment!r})")


def test_pointer(browser, pages, recordings, check):
    """The values under the pointer, without moving the cursor."""
    browser.open(pages["pair"], "#t=0.25")
    hover = "(() => { const e = document.getElementById('hover'); return e.checkVisibility() ? e.innerText : ''; })()"
    for name, unit in [("progress", ""), ("PositionX", " pt")]:
        for moment in [100_000_000, 600_000_000]:
            x, y = lane_place(browser, name, moment / 1e9)
            point(browser, x, y, "mouseMoved")
            told = browser.evaluate(hover)
            time = browser.evaluate("kymograph.timeAt(%r)" % x)
            values = [recordings["A"].value_at(name, round(time * 1e9)),
                      recordings["B"].value_at(name, round(time * 1e9) + browser.evaluate("kymograph.shift('B')"))]
            shown = re.search(re.escape(name) + r" A (\S+)\s+B (\S+)", told)
            near = shown and all(abs(float(text) - value) <= 0.006 * abs(value) + 1e-4
                                 for text, value in zip(shown.groups(), values))
            check(f"{name} under the pointer", near and told.startswith(f"{time:.3f} s, frame") and told.endswith(unit.strip()),
                  f"{told!r} for {values}")
    check("the cursor stays", browser.state()["time"] == "0.250000000", browser.state()["time"])
    # Lanes that begin within a pixel have the pointer on them a little above their edge.
    browser.evaluate("(() => { const plot = document.getElementById('plot'); const { left, top } = plot.getBoundingClientRect();"
                     "plot.dispatchEvent(new PointerEvent('pointermove', { clientX: left + 200, clientY: top - 0.4 })); })()")
    check("a pointer at the edge of the first lane is on it", browser.complaints() == [] and browser.evaluate(hover) != "",
          str(browser.complaints()))
    point(browser, 5, 5, "mouseMoved")
    check("and elsewhere there are none", browser.evaluate(hover) == "", browser.evaluate(hover))


def test_selection(browser, pages, recordings, check):
    """What the curves do in a selection stands below it, at the foot of their lanes, and covers nothing."""
    for page, width in [("open", 1400), ("pair", 1280), ("open", 390)]:
        browser.look(width=width)
        browser.open(pages[page], "#t=0.1")
        browser.press("i")
        browser.evaluate("kymograph.seek(0.3)")
        browser.press("o")
        browser.evaluate(SETTLED)
        for key in ["", "z"]:
            if key:
                browser.press(key)
            left, right = (lane_place(browser, "scale", time)[0] for time in [0.1, 0.3])
            told = browser.evaluate("[...document.querySelectorAll('#selection p')].map((e) => { const b = "
                                    "e.getBoundingClientRect(); return [e.textContent, b.left, b.right]; })")
            check(f"the selection of {page} at {width} {key} says its length", told[0][0] == "0.100 to 0.300 s, 200 ms", str(told))
            check("its statistics are at its place", len(told) == 5 and all(
                words[1] < right and words[2] > left for words in told[1:]), f"{left} {right} {told}")
            covered = browser.evaluate(COVERED)
            check("and cover nothing", covered == 0, str(covered))
            for letter in "AB" if page == "pair" else "A":
                shift = browser.evaluate(f"kymograph.shift('{letter}')")
                recordings[letter].value_at("scale", 0)
                values = [v for t, v in recordings[letter].curves["scale"] if 10**8 <= t - shift <= 3 * 10**8]
                words = f"{letter + ' ' if page == 'pair' else ''}min {min(values):.3g}, max {max(values):.3g},"
                check("they are those of the recordings", words in told[4][0], f"{told[4]} {words}")
        browser.press("Escape")
        check("without a selection there are none", not browser.evaluate("document.getElementById('selection').checkVisibility()"))
    browser.look()


# How many pixels of a finger's disc have the colour of the disc, and how many that of its number.
DISC = """(() => { const finger = kymograph.fingers().find(({ isDown }) => isDown); const canvas = document.getElementById('stage-A');
  const g = canvas.getContext('2d'); const style = getComputedStyle(document.documentElement);
  const hue = (v) => { const t = style.getPropertyValue(v).trim(); return [1, 3, 5].map((i) => parseInt(t.slice(i, i + 2), 16)); };
  const { data } = g.getImageData(finger.x - 7, finger.y - 7, 14, 14);
  return ['--touch', '--paper'].map(hue).map((h) => { let n = 0; for (let i = 0; i < data.length; i += 4)
    n += [0, 1, 2].every((k) => Math.abs(data[i + k] - h[k]) < 40); return n; }); })()"""


def test_fingers(browser, place, pages, check):
    """The number of a finger can be read, and a session without frames has no phase that nobody knows."""
    for dark in [False, True]:
        browser.look(dark=dark)
        browser.open(pages["open"], "#t=0.3")
        browser.evaluate(SETTLED)
        disc, number = browser.evaluate(DISC)
        check(f"a finger's number stands on its disc, dark {dark}", disc > 90 and 8 < number < 60, f"{disc} {number}")
    browser.look()
    browser.open(pages["pair"], "#t=0.25")
    discs = [(one["x"], one["y"]) for one in browser.evaluate("kymograph.fingers()")]
    apart = min(math.dist(one, other) for one, other in itertools.combinations(discs, 2))
    check("no finger of two runs hides another's number", len(discs) == 4 and apart > 22, str(discs))
    lines = [{"t_ns": t * 10**7, "key": "k", "value": t} for t in range(40)]
    lines += [{"t_ns": 10**8, "event": "gestureBegan"}, {"t_ns": 3 * 10**8, "event": "gestureEnded"}]
    browser.open(place.page("gesture", place.record_lines("gesture", {}, sorted(lines, key=lambda line: line["t_ns"]))))
    for moment, state in [(0.05, "none"), (0.2, "under way"), (0.35, "none")]:
        browser.evaluate(f"kymograph.seek({moment})")
        labels = browser.evaluate("[...document.querySelectorAll('#labels > div')].map((e) => e.innerText)")
        check(f"the gesture at {moment} is {state}", f"gesture{state}" in [label.replace(" ", "") .replace("underway", "under way")
                                                                       for label in labels], str(labels))
        check("and there is no phase", not any("phase" in label or "–" in label for label in labels), str(labels))


def test_reading(browser, place, path, check):
    back = place.record("back", "scenarios/grid-to-detail.pinch.json", "pinch-back.evemu")
    pages = {"open": place.page("pinch", path), "pair": place.page("both", path, back)}
    test_hues(browser, place, pages, check)
    test_thresholds(browser, place, pages, check)
    test_words(browser, pages, check)
    test_numbers(browser, pages, check)
    test_facts(browser, pages, check)
    test_controls(browser, pages, check)
    recordings = {"A": Recording(path), "B": Recording(back)}
    test_two_on_a_stage(browser, pages, recordings, check)
    test_item(browser, place, pages, recordings, check)
    test_pointer(browser, pages, recordings, check)
    test_selection(browser, pages, recordings, check)
    test_fingers(browser, place, pages, check)
