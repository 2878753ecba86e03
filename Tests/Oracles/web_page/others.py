"""Pages that do to the recorder what pages do: elements that begin and cease to match, names that hide methods,
libraries that change what every object has, functions that throw, and arguments of any kind."""
import json

from export_checks.checking import check
from web_page.looks import frames_of

# A page with one element "it" and others around it.
MATCHING = """<!doctype html><meta charset="utf-8"><title>matching</title>
<body><section id="outer"><h1 id="head">Head</h1>{element}</section>
<script src="record.min.js"></script>"""

DIV = '<div data-kymo="it" class="b">text</div>'
INPUT = '<input data-kymo="it" type="checkbox">'
LIST = '<ul id="list"><li data-kymo="first">1</li><li data-kymo="it">2</li><li data-kymo="last">3</li></ul>'
# Each selector with the page's element, and two scripts: by the first "it" begins to match, by the second it ceases.
SELECTORS = [
    ("[data-open]", DIV, "it.dataset.open = ''", "delete it.dataset.open"),
    ("[aria-expanded=true]", DIV, "it.setAttribute('aria-expanded', 'true')", "it.setAttribute('aria-expanded', 'no')"),
    ("div[ data-state ~= 'on' i ]", DIV, "it.dataset.state = 'now ON'", "it.dataset.state = 'off'"),
    ("[Data-Upper]", DIV, "it.dataset.upper = 1", "delete it.dataset.upper"),
    ("[lang|=en]", DIV, "it.lang = 'en-GB'", "it.lang = 'de'"),
    ("[style*=opacity]", DIV, "it.style.opacity = 0.5", "it.style.opacity = ''"),
    ("[hidden], [title]", DIV, "it.title = 'a'", "it.removeAttribute('title')"),
    ("[data\\:x]", DIV, "it.setAttribute('data:x', 1)", "it.removeAttribute('data:x')"),
    (".b.hot", DIV, "it.classList.add('hot')", "it.className = 'b'"),
    (".wide .b", DIV, "outer.className = 'wide'", "outer.className = ''"),
    (":root[data-theme=dark] .b", DIV, "document.documentElement.dataset.theme = 'dark'",
     "document.documentElement.dataset.theme = 'light'"),
    ("section:not([inert], [data-off]) > .b", "<i></i>", "outer.insertAdjacentHTML('beforeend', DIV)",
     "outer.dataset.off = 1"),
    ("section:has(> [data-hot]) .b", DIV, "head.dataset.hot = 1", "delete head.dataset.hot"),
    (".b:is([data-a], [data-c])", DIV, "it.dataset.c = 1", "it.dataset.b = 1; delete it.dataset.c"),
    ("[data-kymo=it][id=other]", DIV, "it.id = 'other'", "it.id = 'it'"),
    ("ul > li:first-child", LIST, "list.firstChild.remove()", "list.prepend(document.createElement('li'))"),
    ("li:nth-last-child(3)", LIST, "list.append(document.createElement('li'))", "list.lastChild.remove()"),
    ("h1 + div", '<p id="between"></p>' + DIV, "between.remove()", "head.after(document.createElement('p'))"),
    ("div:empty", DIV, "it.firstChild.data = ''", "it.firstChild.data = 'a'"),
    ("input:checked", INPUT, "it.checked = true", "it.checked = false"),
    ("input:indeterminate", INPUT, "it.indeterminate = true", "it.indeterminate = false"),
    ("input:not(:enabled)", INPUT, "it.disabled = true", "it.disabled = false"),
    ("input:invalid", INPUT, "it.setCustomValidity('no')", "it.setCustomValidity('')"),
    ("option:checked", '<select id="pick"><option>1<option data-kymo="it">2</select>', "pick.selectedIndex = 1",
     "pick.selectedIndex = 0"),
    ("details[open] > p", '<details id="more"><summary>s</summary><p data-kymo="it">p</p></details>',
     "more.open = true", "more.open = false"),
    ("dialog:modal", '<dialog data-kymo="it">d</dialog>', "it.showModal()", "it.close()"),
    ("[viewBox]", '<svg data-kymo="it" width="9" height="9"></svg>', "it.setAttribute('viewBox', '0 0 9 9')",
     "it.removeAttribute('viewBox')"),
    ("[*|href]", '<svg width="9" height="9"><use data-kymo="it"/></svg>',
     "it.setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:href', '#a')",
     "it.removeAttributeNS('http://www.w3.org/1999/xlink', 'href')"),
]


def write(place, name, text):
    path = place.folder / name
    path.write_text(text)
    return path


def read_on(browser, count=2):
    """Waits until so many more frames were read, however busy the machine is."""
    browser.evaluate(f"""new Promise((done) => {{
      const read = () => kymo.text().split('"frame":{{').length, end = read() + {count};
      (function look() {{ read() >= end ? done() : requestAnimationFrame(look) }})();
    }})""")


def test_selectors(browser, place):
    """An element that begins to match is in the next frame; one that ceases is not."""
    for selector, element, begin, end in SELECTORS:
        browser.open(write(place, "matching.html", MATCHING.format(element=element)))
        browser.evaluate(f"globalThis.DIV = {json.dumps(DIV)}; kymo.start({{items: {json.dumps(selector)}}})")
        there = []
        for step in ["", begin, end]:
            browser.evaluate(f"(() => {{ const it = document.querySelector('[data-kymo=it]'); {step} }})()")
            read_on(browser)
            shown = list(frames_of(browser.evaluate("kymo.text()")))[-1][2]
            there.append("it" in shown)
        check(f"'{selector}' is followed: the element is not there, there, and not there",
              there == [False, True, False], there)
        check(f"'{selector}': the page complains of nothing", errors(browser) == [], errors(browser))
    print(f"  {len(SELECTORS)} selectors are followed")


def errors(browser):
    return [text for text in browser.complaints() if not text.startswith("request ")]


CALLBACKS = [
    ("() => { throw new Error('no sheet') }", [], ["progress"]),
    ("() => { if (++calls % 3 === 0) throw { toString() { throw 1 } }; return calls / 64 }", None, ["progress"]),
    ("() => { throw Symbol('s') }", [], ["progress"]),
    ("() => NaN", [], []), ("() => undefined", [], []), ("() => null", [], []), ("() => 1n", [], []),
    ("() => ({ valueOf: () => 1 })", [], []), ("() => '0.5'", [], []), ("async () => 0.5", [], []),
    ("() => -0", [0], []), ("() => 1e-7", [1e-7], []), ("() => 0.5", [0.5], []),
    ("0.5", [], ["progress"]), ("null", [], []),
]


def test_callbacks(browser, place):
    """Whatever a function of the page's does, the frames are there, and one warning says what it did."""
    page = place.page("sheet.html")
    for number, (callback, values, warned) in enumerate(CALLBACKS):
        browser.open(page)
        browser.evaluate(f"globalThis.calls = 0; kymo.start({{ progress: {callback} }})")
        read_on(browser, 8)
        lines = browser.evaluate("kymo.stop()")
        rows = [json.loads(line) for line in lines.splitlines()]
        found = [row["value"] for row in rows if row.get("key") == "progress"]
        check(f"progress: {callback}: all frames are there", sum("frame" in row for row in rows) >= 8, len(rows))
        check(f"progress: {callback}: its values are those that are numbers",
              found == values if values is not None else len(found) >= 5, found)
        codes = [row["code"] for row in rows if row.get("event") == "warning"]
        check(f"progress: {callback}: a warning, if any, is written once", codes == warned, codes)
        check(f"progress: {callback}: the page complains of nothing", errors(browser) == [], errors(browser))
        place.record(f"callback-{number}", lines)
    browser.open(page)
    browser.evaluate("kymo.start({ onframe() { throw new TypeError('late') } })")
    read_on(browser, 4)
    rows = [json.loads(line) for line in browser.evaluate("kymo.stop()").splitlines()]
    warnings = [row for row in rows if row.get("event") == "warning"]
    check("onframe may throw: frames and one warning", sum("frame" in row for row in rows) >= 4 and len(warnings) == 1
          and "TypeError: late" in warnings[0]["message"], warnings)
    browser.evaluate("kymo.start({ progress() { kymo.stop(); return 1 } })")
    browser.frames(6)
    check("progress may end the recording", browser.evaluate("kymo.text()").count("\n") == 1)


# What old libraries have put into every object, and names that hide what the recorder asks of window and document.
POLLUTION = """
for (const kind of [Array, String, Number, Boolean, Date, Object])
  Object.defineProperty(kind.prototype, "toJSON", { configurable: true, writable: true,
    value: function () { return "spoilt" } });
Array.from = (list) => [].slice.call(list);
Array.prototype.reduce = function () { return this.length > 1 ? this : this[0] };
for (const name of ["items", "changed", "gone", "unit", "phase", "time", "once", "signal", "name", "size", "width",
  "height", "geometry", "isTurned", "inSpace", "progress", "onframe", "kind", "text", "origin", "message", "code",
  "characterData", "attributeOldValue", "extend", "each"]) Object.prototype[name] = () => "spoilt";
var scrollX = "spoilt", scrollY = "spoilt", innerWidth = "spoilt", innerHeight = "spoilt", devicePixelRatio = "spoilt";
let performance = "spoilt";
"""
HIDDEN = ["getAttribute", "getBoundingClientRect", "getClientRects", "localName", "id", "parentElement", "parentNode",
          "ownerSVGElement", "getScreenCTM", "getBBox", "offsetWidth", "offsetHeight", "style", "classList", "children",
          "dataset", "attributes", "nodeType", "namespaceURI", "host", "toJSON", "constructor", "matches"]
OF_DOCUMENT = ["title", "querySelectorAll", "getAnimations", "createElement", "visibilityState", "scrollingElement",
               "documentElement", "host", "addEventListener", "body", "defaultView"]
SPOILT = """<!doctype html><meta charset="utf-8"><title>spoilt</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body {{ margin: 0; height: 3000px }} form, p {{ position: absolute; margin: 0; width: 100px; height: 40px }}
form {{ left: 30px; top: 60px; opacity: 0.5; rotate: 90deg; transition: translate 300ms linear }}
p {{ left: 7px; top: 9px }}</style>
<form data-kymo="form">{controls}<p data-kymo="inner"></p></form><p data-kymo="plain"></p>{images}
<b id="kymo"></b>{first}<script src="record.min.js"></script>{second}"""


def spoilt_lines(browser, place, name, is_spoilt, is_first):
    script = f"<script>{POLLUTION}</script>" if is_spoilt else ""
    page = SPOILT.format(
        controls="".join(f'<input type="hidden" name="{name}">' for name in HIDDEN if is_spoilt),
        images="".join(f'<img name="{name}" hidden>' for name in OF_DOCUMENT if is_spoilt),
        # What has gone before the recorder came has no other source.
        first=script.replace(', devicePixelRatio = "spoilt"', "") if is_first else "",
        second="" if is_first else script)
    browser.open(write(place, f"{name}.html", page))
    browser.evaluate("kymo.start({ name: 'spoilt' })")
    read_on(browser, 12)
    browser.evaluate("""(() => {
      kymo.event("start", { list: [1, [2], "3"], nested: { list: [] }, at: new Date(0), none: undefined });
      kymo.value("progress", 0.5, { unit: "1" }); kymo.value("height", 3);
      document.getElementsByTagName("form")[0].setAttribute("style", "translate: 50px 0");
      kymo.decision("finish", { rule: "progress", threshold: 0.25, progress: 0.5 });
      kymo.event("finish");
    })()""")
    browser.evaluate("new Promise((done) => setTimeout(done, 500))")
    browser.evaluate("scrollTo(0, 100); document.getElementsByTagName('p')[1].remove()")
    read_on(browser)
    lines = browser.evaluate("kymo.stop()")
    check(f"{name}: the page complains of nothing", errors(browser) == [], errors(browser))
    return lines


def test_spoilt(browser, place):
    """A page whose names and libraries hide what the recorder works by is recorded like one without them."""
    facts = []
    for name, is_spoilt, is_first in [("unspoilt", False, True), ("spoilt-first", True, True),
                                      ("spoilt-later", True, False)]:
        lines = spoilt_lines(browser, place, name, is_spoilt, is_first)
        rows = [json.loads(line) for line in lines.splitlines()]
        frames = list(frames_of(lines))
        moved = {shown["form"]["center"][0] for _, _, shown in frames}
        check(f"{name}: the form is seen on its way", len(moved) > 4, moved)
        start = next(row for row in rows if row.get("event") == "start")
        events = [(row.get("event") or "decision", row.get("text", "")) for row in rows
                  if "event" in row or "decision" in row]
        # An animation is written at the instant of its first frame, before or behind what the page says meanwhile.
        animations = [event for event in events if "animation:" in event[1]]
        events = [[event for event in events if event not in animations], animations]
        frames_at_ends = [frames[0][1] | {"items": None, "began_ns": None}, frames[0][2],
                          frames[-1][1] | {"changed": None, "began_ns": None}, frames[-1][2]]
        facts.append([
            {key: value for key, value in rows[0].items() if key != "refreshRate"}, frames_at_ends,
            start["list"], start["nested"], events,
            [(row["key"], row["value"], row.get("unit"), row["phase"]) for row in rows
             if row.get("key") in ["progress", "height"]],
            next(row["decision"] for row in rows if "decision" in row)])
        # A date's own text is what its library makes of it.
        check(f"{name}: a date is text", isinstance(start["at"], str) and "none" not in start, start)
        path = place.record(name, lines)
        check(f"{name}: the outcome is the page's", place.rows("list", "sessions", path)[0]["outcome"] == "finished")
    for spoilt in facts[1:]:
        for plain, other in zip(facts[0], spoilt):
            check("what is recorded is what it is without them", plain == other, f"{plain} {other}"[:600])
    check("the form's frames are of the form", facts[0][1][3]["form"]["center"] == [130, 80]
          and facts[0][1][3]["form"]["alpha"] == 0.5 and "plain" not in facts[0][1][3], facts[0][1][3])


def phases_of(lines):
    """[(ns, phase, progress)] of the frames, and the instants of the events by kind."""
    rows = [json.loads(line) for line in lines.splitlines()]
    return ([(row["t_ns"], row["frame"].get("phase"), row["frame"].get("progress")) for row in rows if "frame" in row],
            {row["event"]: row["t_ns"] for row in rows if "event" in row})


def test_phases(browser, place):
    """Frames drive from start to finish by their times, however late the page says so, with a progress or without."""
    says = {
        "at once": "kymo.event('start')|kymo.event('finish')|kymo.event('completion')",
        "in a frame": "|".join(f"new Promise((done) => requestAnimationFrame(() => {{ kymo.event('{kind}'); done() }}))"
                               for kind in ["start", "finish", "completion"]),
        "later": "|".join(f"(() => {{ const was = performance.now(); return new Promise((done) => setTimeout(() => "
                          f"{{ kymo.event('{kind}', {{}}, was); done() }}, 100)) }})()"
                          for kind in ["start", "finish", "completion"]),
        "cancelled": "kymo.event('start')|kymo.event('cancel', {}, performance.now())|kymo.event('completion')",
    }
    for name, steps in says.items():
        for options, own in [("{}", ""), ("{ progress: () => share += 0.001 }", ""),
                             ("{}", "kymo.value('progress', share += 0.01);"), ("{ bytes: 3000 }", "")]:
            browser.open(place.page("sheet.html"))
            browser.evaluate(f"globalThis.share = 0; kymo.start({options})")
            browser.frames(4)
            for step in steps.split("|"):
                browser.evaluate(own + step)
                browser.frames(6)
            lines = browser.evaluate("kymo.stop()")
            frames, events = phases_of(lines)
            finish = events.get("finish", events.get("cancel"))
            words = f"events {name}, {options} {own}: "
            check(words + "frames were read", len(frames) > 8 or "bytes" in options, len(frames))
            for time, phase, progress in frames:
                if time < events.get("start", 0):
                    check(words + "before the start no phase is claimed", phase is None, (time, events))
                elif time < finish:
                    check(words + "from start to finish they drive", phase == "driving", (time, phase, events))
                elif time < events["completion"]:
                    check(words + "then they settle", phase == "settling", (time, phase, events))
                else:
                    check(words + "and then they rest", phase == "idle", (time, phase, events))
                check(words + "the progress is the page's", progress is not None or not (own or "progress" in options)
                      or time < events["start"], (time, progress))
            path = place.record("phases", lines)
            driven = place.rows("sql", path, "SELECT t_ns FROM frames WHERE phase = 'driving' AND t_ns >= "
                                f"{events.get('start', 0)}")
            check(words + "the recording has them so", [row["t_ns"] for row in driven] == [
                time for time, _, _ in frames if events.get("start", 0) <= time < finish], (driven, events))
            path.unlink()
    browser.open(place.page("sheet.html"))
    browser.evaluate("kymo.start(); kymo.value('progress', 0.1)")
    read_on(browser)
    browser.evaluate("kymo.value('progress', 0.2, { phase: 'settling' })")
    read_on(browser)
    phases = [phase for _, phase, _ in phases_of(browser.evaluate("kymo.stop()"))[0]]
    check("a page without events gives its phases with its progress", phases[0] is None and phases[-1] == "settling",
          phases)


ARGUMENTS = """(() => {
  const circle = { list: [] }; circle.list.push(circle);
  kymo.event("start", null);
  kymo.event("mark", { good: 1, big: 1n, circle, get worse() { throw 1 }, last: [undefined] });
  kymo.event(Symbol("kind")); kymo.event("bare", undefined, NaN); kymo.event("text", "ab", 5n);
  kymo.decision("finish", { rule: "own", threshold: 0.5, progress: 0.75, ruleParameters: circle, outcome: "other" });
  kymo.value("progress", 0.75, null); kymo.value("big", 1n); kymo.value("text", "1"); kymo.value("object", {});
  kymo.value("late", 1, { time: NaN }); kymo.value("whole", 2, { time: 2n, unit: 3n, phase: undefined });
  for (const type of ["pointerdown", "pointermove", "pointerup"]) window.dispatchEvent(new Event(type));
  kymo.event("finish");
})()"""


def test_arguments(browser, place):
    """No argument stops the page or spoils the lines; what is no JSON is left out alone."""
    browser.open(place.page("sheet.html"))
    browser.evaluate("kymo.start({ origin: 'now', name: 5n, software: {} })")
    read_on(browser)
    browser.evaluate(ARGUMENTS)
    read_on(browser)
    lines = browser.evaluate("kymo.stop()")
    check("arguments: the page complains of nothing", errors(browser) == [], errors(browser))
    rows = [json.loads(line) for line in lines.splitlines()]
    check("every line has a whole time", all(isinstance(row["t_ns"], int) for row in rows[1:]), rows)
    mark = next(row for row in rows if row.get("event") == "mark")
    check("a field that is no JSON is left out alone", mark == {"t_ns": mark["t_ns"], "event": "mark", "good": 1,
                                                               "last": [None]}, mark)
    decision = next(row["decision"] for row in rows if "decision" in row)
    check("so it is in a decision", decision == {"outcome": "finish", "rule": "own", "threshold": 0.5,
                                                "progress": 0.75}, decision)
    keys = {row["key"]: row["value"] for row in rows if "key" in row}
    check("numbers are values, and nothing else", keys == {"progress": 0.75, "late": 1, "whole": 2}, keys)
    check("an event that a script made is no touch", not any("touch" in row for row in rows))
    path = place.record("arguments", lines)
    check("the recording is whole", place.rows("list", "sessions", path)[0]["name"] == "5")


WANDERING = """<!doctype html><meta charset="utf-8"><title>wandering</title><div id="host"></div>
<iframe srcdoc="<p>other</p>"></iframe><div data-kymo="it" style="rotate: 10deg">it</div>
<svg data-kymo="svg" width="50" height="50"><title>t</title><defs><linearGradient id="g"><stop offset="0"/>
</linearGradient></defs><g><rect data-kymo="rect" width="20" height="20"/></g></svg>
<math><mi data-kymo="math" style="rotate: 5deg">x</mi></math><script src="record.min.js"></script>"""


def test_wandering(browser, place):
    """Elements of any kind are read, and one that leaves the document for another tree comes back."""
    browser.open(write(place, "wandering.html", WANDERING))
    browser.evaluate("host.attachShadow({ mode: 'open' }); globalThis.it = document.querySelector('[data-kymo=it]'); "
                     "kymo.start({ items: '[data-kymo], svg *, math' })")
    there = []
    for step in ["0", "host.shadowRoot.append(it)", "document.body.append(it)",
                 "document.querySelector('iframe').contentDocument.body.append(it)", "document.body.append(it)",
                 "document.createDocumentFragment().append(it)", "host.append(it)", "document.body.append(it)"]:
        browser.evaluate(step)
        read_on(browser)
        shown = list(frames_of(browser.evaluate("kymo.text()")))[-1][2]
        there.append("it" in shown)
    check("an element is there while it is in the document's tree",
          there == [True, False, True, False, True, False, True, True], there)
    kinds = {name.split("#")[0] for name in shown}
    check("elements of every kind are there", {"svg", "title", "defs", "stop", "rect", "math"} <= kinds, kinds)
    check("wandering: the page complains of nothing", errors(browser) == [], errors(browser))
    lines = browser.evaluate("kymo.stop()")
    check("wandering: no warning", '"event":"warning"' not in lines, lines[-400:])
    place.record("wandering", lines)
