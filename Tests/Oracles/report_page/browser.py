"""Chromium without a window, over the pipe of its DevTools protocol; the standard library alone."""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome"]


def program():
    return next((path for path in map(shutil.which, NAMES) if path), None)


class PageLeft(RuntimeError):
    """The page was left before it answered."""


class Browser:
    """One browser with one page; the network is cut off."""

    def __init__(self):
        commands, self.writing = os.pipe()
        self.reading, answers = os.pipe()

        def descriptors():
            # The child reads commands from 3 and answers on 4.
            first, second = os.dup(commands), os.dup(answers)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.profile = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [program(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "about:blank"],
            preexec_fn=descriptors, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.buffer, self.number, self.session, self.visits = b"", 0, None, 0
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Network", "Log"]:
            self.call(f"{domain}.enable")
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0,
                  uploadThroughput=0)

    def receive(self):
        while b"\0" not in self.buffer:
            data = os.read(self.reading, 1 << 20)
            if not data:
                raise EOFError("Chromium has gone")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, **parameters):
        """Asks without waiting; the answer's number."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writing, json.dumps(message).encode() + b"\0")
        return self.number

    def call(self, method, **parameters):
        number = self.send(method, **parameters)
        while True:
            answer = self.receive()
            if answer.get("id") == number:
                if "error" in answer:
                    words = f"{method}: {answer['error']}"
                    left = ("navigated or closed", "context was destroyed", "find context")
                    raise PageLeft(words) if any(one in words for one in left) else RuntimeError(words)
                return answer["result"]
            self.events.append(answer)

    def look(self, width=1280, height=900, dark=False, reduced=False):
        """The window's size and what the person prefers."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if reduced else "no-preference"}])

    def open(self, path, fragment=""):
        """Opens a file from disk and waits until it is there."""
        self.visits += 1
        self.events.clear()
        path = pathlib.Path(path).resolve()
        # Another query makes it another page, also where only the fragment differs.
        self.call("Page.navigate", url=f"{path.as_uri()}?{self.visits}{fragment}")
        self.wait_for("location.search + document.readyState", f"?{self.visits}complete")

    def wait_for(self, expression, wanted):
        """Asks until the answer is the wanted one, on whatever page there is by then."""
        for _ in range(3000):
            try:
                if self.evaluate(expression) == wanted:
                    return
            except PageLeft:
                pass
            time.sleep(0.01)
        raise TimeoutError(f"{expression} was not {wanted!r} after half a minute")

    def complaints(self):
        """Errors of the page, and what it tried to load beside itself."""
        found = []
        for event in self.events:
            method, facts = event.get("method"), event.get("params", {})
            if method in ["Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"]:
                found.append(json.dumps(facts)[:400])
            if method == "Network.requestWillBeSent" and facts["type"] != "Document":
                found.append("request " + facts["request"]["url"][:200])
        return found

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:600])
        return answer["result"].get("value")

    def state(self):
        """The page's data attributes, once everything that waits has been drawn."""
        return self.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => "
            "done({...document.body.dataset}))))")

    def press(self, key, shift=False):
        code = {" ": "Space"}.get(key, key)
        # What the browser itself does with a key goes by its old number.
        number = {"Tab": 9, "Escape": 27, " ": 32}.get(key, 0)
        text = {"text": key} if len(key) == 1 else {}
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code, modifiers=8 if shift else 0,
                      windowsVirtualKeyCode=number, **(text if kind == "keyDown" else {}))

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def close(self):
        self.number += 1
        os.write(self.writing, json.dumps({"id": self.number, "method": "Browser.close"}).encode() + b"\0")
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.profile.cleanup()
