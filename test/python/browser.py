"""Debian's headless Chromium, driven over its debugging pipe (the DevTools protocol): no driver, no package."""

import contextlib
import fcntl
import json
import os
import resource
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium")


def find_browser() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class BrowserError(Exception):
    pass


def prepare_process(pipes: list[int]) -> None:
    for pipe, number in zip(pipes, (3, 4), strict=True):
        os.dup2(pipe, number)
    # A browser maps far more memory than it uses, which utils/mutate.py limits.
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


class Page:
    """One page. Messages of its console and uncaught exceptions are in `problems`, requests in `requests`."""

    def __init__(self, width: int = 1280, height: int = 900, timeout: float = 60):
        self.timeout, self.number, self.buffer = timeout, 0, b""
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.replies: dict[int, dict] = {}
        self.loaded = False
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.sink = os.pipe()
        self.source, from_browser = os.pipe()
        # The browser reads from 3 and writes to 4.
        pipes = [fcntl.fcntl(pipe, fcntl.F_DUPFD, 20) for pipe in (to_browser, from_browser)]
        self.process = subprocess.Popen(
            [
                find_browser(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--hide-scrollbars",
                "--remote-debugging-pipe",
                f"--user-data-dir={self.profile.name}",
                f"--window-size={width},{height}",
                "about:blank",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(3, 4),
            preexec_fn=lambda: prepare_process(pipes),
        )
        for pipe in (to_browser, from_browser, *pipes):
            os.close(pipe)
        self.session = None
        targets = self.call("Target.getTargets")["targetInfos"]
        target = next(each["targetId"] for each in targets if each["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.resize(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.session = None
        with contextlib.suppress(OSError, BrowserError):
            self.call("Browser.close")
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.sink)
        os.close(self.source)
        self.profile.cleanup()

    def _receive(self, deadline: float):
        while b"\0" not in self.buffer:
            if not select.select([self.source], [], [], max(0, deadline - time.monotonic()))[0]:
                raise BrowserError("expected an answer of the browser, but got none in time")
            read = os.read(self.source, 1 << 20)
            if not read:
                raise BrowserError(f"the browser ended with {self.process.wait()}")
            self.buffer += read
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        if "id" in message:
            self.replies[message["id"]] = message
        elif message["method"] == "Runtime.exceptionThrown":
            details = message["params"]["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif message["method"] == "Runtime.consoleAPICalled" and message["params"]["type"] in ("error", "warning"):
            self.problems.append(str(message["params"]["args"]))
        elif message["method"] == "Log.entryAdded":
            self.problems.append(message["params"]["entry"]["text"])
        elif message["method"] == "Network.requestWillBeSent":
            self.requests.append(message["params"]["request"]["url"])
        elif message["method"] == "Page.loadEventFired":
            self.loaded = True

    def call(self, method: str, **parameters) -> dict:
        """One command of the protocol."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.sink, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + self.timeout
        while self.number not in self.replies:
            self._receive(deadline)
        reply = self.replies.pop(self.number)
        if "error" in reply:
            raise BrowserError(f"{method}: {reply['error']['message']}")
        return reply["result"]

    def resize(self, width: int, height: int):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def open(self, path):
        self.loaded = False
        self.call("Page.navigate", url=f"file://{os.path.abspath(path)}")
        deadline = time.monotonic() + self.timeout
        while not self.loaded:
            self._receive(deadline)

    def run(self, script: str):
        """The value of an expression in the page, after the next frame."""
        code = f"new Promise(done => requestAnimationFrame(() => setTimeout(() => done(({script})), 0)))"
        result = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise BrowserError(result["exceptionDetails"].get("exception", {}).get("description", script))
        return result["result"].get("value")

    def click(self, selector: str, number: int = 0):
        """Clicks with the mouse in the middle of element `number` of those that match."""
        x, y = self.run(
            f"(() => {{ const e = document.querySelectorAll({json.dumps(selector)})[{number}];"
            "e.scrollIntoView({block: 'center', inline: 'center'}); const r = e.getClientRects()[0];"
            "return [r.x + Math.min(r.width, 400) / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key: str):
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        codes = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13, "Escape": 27, "Tab": 9}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=codes.get(key, 0), **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=codes.get(key, 0))

    def screenshot(self, path, whole: bool = False):
        import base64

        image = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(image["data"]))
