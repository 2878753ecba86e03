"""The pictures of a clip behind the stage: each at its own time, outlines over them, and hatched losses."""
import math
import subprocess
import time

WIDTH, HEIGHT, COUNT, RATE = 160, 240, 40, 50
SIZE = 60
# The element is away in these pictures.
AWAY = range(24, 32)


def top(number):
    """Where the upper edge of the element is in a picture, in pixels."""
    return 160 - 3 * max(0, min(number - 5, 40))


def picture(number):
    """A picture as bytes of grey: a page that gets lighter, and an element with a pattern."""
    rows = []
    for y in range(HEIGHT):
        row = bytearray([40 + number] * WIDTH)
        if number not in AWAY and 0 <= y - top(number) < SIZE:
            for x in range(SIZE):
                row[50 + x] = int(150 + 60 * math.sin(x / 4) * math.cos((y - top(number)) / 5))
        rows.append(bytes(row))
    return b"".join(rows)


def wait(browser, words, seconds=10):
    """Until something is true of the page. What waits is the decoding of a picture."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if browser.evaluate(words):
            return True
        time.sleep(0.02)
    return False


def test_film(browser, place, check):
    clip = place.folder / "clip.mkv"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{WIDTH}x{HEIGHT}", "-r", str(RATE),
         "-i", "-", "-c:v", "ffv1", str(clip)], input=b"".join(map(picture, range(COUNT))), check=True)
    path = place.folder / "clip.kymo"
    place.run("record", "--video", clip, "--track", f"card=50,{top(0)},{SIZE}x{SIZE}", "--into", path, code=3)
    browser.open(place.page("film", path, "--video", clip))
    for number in [0, 10, 20, 28, 39]:
        browser.evaluate(f"kymograph.seek({(number + 0.5) / RATE})")
        check(f"picture {number} is shown", wait(browser, f"document.body.dataset.picture === '{number}'"),
              browser.evaluate("document.body.dataset.picture"))
        red, green, blue, _ = browser.evaluate("kymograph.colorAt(20, 30)")
        check(f"the stage shows the page of picture {number}",
              max(abs(value - 40 - number) for value in (red, green, blue)) <= 6, f"{red} {green} {blue}")
        colors = [browser.evaluate(f"kymograph.colorAt({x}, {top(23) + 30})") for x in range(55, 105)]
        hatched = sum(red - blue > 60 for red, _, blue, _ in colors)
        check(f"a lost element is hatched in picture {number}, and no other",
              (hatched >= 3) == (number in AWAY), str(hatched))
    browser.evaluate("kymograph.seek(0.3)")
    check("the outline is that of the element", len(browser.evaluate("kymograph.items('A')")) == 1)
