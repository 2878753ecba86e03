"""A second client of a page: Playwright sends the same input, and reads where the elements are in each frame."""
import asyncio
import json
import math
import time

from playwright.async_api import async_playwright

from report_page.browser import program

SIZE = {"width": 390, "height": 844}
# A panel of 125 Hz, and the fewest places of a short flick.
SPACING, FEWEST = 8, 6
# The page has been still for so long when the input begins, and when it is read for the last time, in seconds.
STILL, LONGEST = 0.5, 6

# Where elements are in each frame, in CSS pixels of the document. A selector stands for the first element that it finds:
# one that is made later comes in then, and one that leaves has no box from then on.
READER = """
(selectors) => {
  const elements = selectors.map(() => null);
  const read = (selector, index) => {
    const element = elements[index] ??= document.querySelector(selector);
    if (!element) return null;
    const { left, top, width, height } = element.getBoundingClientRect();
    return getComputedStyle(element).visibility === "hidden" ? null : [left + scrollX, top + scrollY, width, height];
  };
  window.secondClient = { frames: [], last: performance.now() };
  let before = "";
  const next = () => {
    const rows = selectors.map(read), text = JSON.stringify(rows);
    if (text !== before) secondClient.last = performance.now();
    before = text;
    secondClient.frames.push(rows);
    requestAnimationFrame(next);
  };
  next();
}
"""

SHARES = {
    "flick": lambda u: u ** 1.6,
    "drag": lambda u: (1 - math.cos(0.8 * math.pi * u)) / (1 - math.cos(0.8 * math.pi)),
}


def places(start, way, duration, kind):
    """[(milliseconds, x, y)] of a finger."""
    steps = max(FEWEST, int(duration / SPACING))
    shares = [SHARES[kind](step / steps) for step in range(steps)] + [1]
    return [(duration * step / steps, start[0] + share * way[0], start[1] + share * way[1])
            for step, share in enumerate(shares)]


class SecondClient:
    """One browser; each page gets a context of its own."""

    async def __aenter__(self):
        self.playwright = await async_playwright().start()
        self.browser = await self.playwright.chromium.launch(executable_path=program(), args=["--no-sandbox"])
        return self

    async def __aexit__(self, *_):
        await self.browser.close()
        await self.playwright.stop()

    async def watch(self, address, case):
        """The box of each subject in each frame, or None, from before the first action until all is at rest."""
        context = await self.browser.new_context(
            viewport=SIZE, has_touch=not case.mouse, is_mobile=not case.mouse, device_scale_factor=1)
        try:
            page = await context.new_page()
            self.errors = []
            page.on("pageerror", lambda error: self.errors.append(str(error)[:200]))
            await page.goto(address)
            await asyncio.sleep(STILL)
            await page.evaluate(f"({READER})({json.dumps(case.selectors)})")
            self.pipe = await context.new_cdp_session(page)
            for action in case.actions:
                await self.act(page, action, case.mouse)
            begin = time.monotonic()
            while time.monotonic() - begin < LONGEST:
                await asyncio.sleep(0.05)
                if await page.evaluate("performance.now() - secondClient.last") > 1000 * STILL \
                        and time.monotonic() - begin > STILL:
                    break
            return await page.evaluate("secondClient.frames")
        finally:
            await context.close()

    async def act(self, page, action, mouse):
        if action.kind == "wait":
            await asyncio.sleep(action.duration / 1000)
        elif action.kind == "press":
            await page.keyboard.press(action.target)
        else:
            start = await landing(page, action)
            if action.kind == "click":
                await page.mouse.move(*start)
                await page.mouse.down()
                await asyncio.sleep(0.08)
                await page.mouse.up()
            else:
                await self.move(start, action, mouse)

    async def move(self, start, action, mouse):
        """Sends each place when it is due, with its own time, and waits for no answer but in the end."""
        rows = places(start, action.way, action.duration, action.kind)
        end = action.duration + action.hold
        events = [("begin" if not number else "move", *row) for number, row in enumerate(rows)]
        events.append(("end", end, rows[-1][1], rows[-1][2]))
        if mouse:
            await self.pipe.send("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": start[0], "y": start[1]})
        begin, tasks = time.time() + 0.03, []
        for phase, moment, x, y in events:
            due = begin + moment / 1000
            await asyncio.sleep(max(0, due - time.time()))
            tasks.append(asyncio.create_task(self.pipe.send(*event(phase, x, y, due, mouse))))
        await asyncio.gather(*tasks)


def event(phase, x, y, due, mouse):
    """The call of the DevTools protocol for one place."""
    if mouse:
        kind = {"begin": "mousePressed", "move": "mouseMoved", "end": "mouseReleased"}[phase]
        return "Input.dispatchMouseEvent", {
            "type": kind, "x": x, "y": y, "button": "left", "buttons": 0 if phase == "end" else 1,
            "clickCount": 0 if phase == "move" else 1, "timestamp": due}
    kind = {"begin": "touchStart", "move": "touchMove", "end": "touchEnd"}[phase]
    points = [] if phase == "end" else [{"x": x, "y": y, "id": 0}]
    return "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points, "timestamp": due}


async def landing(page, action):
    """Where an action begins: the middle of the visible part of an element, scrolled into the window."""
    await page.wait_for_selector(action.target, state="attached", timeout=2000)
    return await page.evaluate("""([selector, begin]) => {
      const element = document.querySelector(selector);
      element.scrollIntoViewIfNeeded();
      const box = element.getBoundingClientRect();
      if (begin) return [box.left + begin[0], box.top + begin[1]];
      const left = Math.max(0, box.left), right = Math.min(innerWidth, box.right);
      const top = Math.max(0, box.top), bottom = Math.min(innerHeight, box.bottom);
      return [(left + right) / 2, (top + bottom) / 2];
    }""", [action.target, action.begin])
