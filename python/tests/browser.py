# SPDX-License-Identifier: GPL-2.0-only
"""A page in headless Chromium, over the pipe of its DevTools protocol."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE_S = 300  # of a busy machine
PROGRAM = shutil.which("chromium")
NEEDED = "headless Chromium is not installed: apt-get install chromium"


class Page:
    """A page that is open, and what it has said since."""

    def __init__(self, ask: int, answers: int) -> None:
        self._ask, self._answers = ask, answers
        self._rest = b""
        self._last = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for part in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{part}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol and return its result."""
        self._last += 1
        session = {"sessionId": self._session} if self._session else {}
        asked = {"id": self._last, "method": method, "params": parameters, **session}
        os.write(self._ask, json.dumps(asked).encode() + b"\0")
        while True:
            told = self._read()
            if told.get("id") == self._last:
                assert "result" in told, told
                result: dict[str, Any] = told["result"]
                return result
            self.events.append(told)

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._answers], [], [], PATIENCE_S)
            assert ready, "Chromium does not answer"
            read = os.read(self._answers, 1 << 20)
            assert read, "Chromium has ended"
            self._rest += read
        message, _, self._rest = self._rest.partition(b"\0")
        told: dict[str, Any] = json.loads(message)
        return told

    def open(self, path: Path, width: int) -> None:
        """Show a report page, and wait until it is filled."""
        size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        self.call("Page.navigate", url=path.resolve().as_uri())
        self.until("document.documentElement?.dataset.ready === 'yes'")

    def value(self, code: str) -> Any:
        """Return the value of an expression of JavaScript in the page."""
        done = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def until(self, code: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE_S
        while self.value(code) is not True:
            assert time.monotonic() < end, f"never true: {code}"
            time.sleep(0.05)

    def screenshot(self) -> bytes:
        """Return the whole page as a PNG."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        told = self.call(
            "Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True
        )
        return base64.b64decode(told["data"])

    def complaints(self) -> list[str]:
        """Return errors of scripts, what the policy forbade, and requests to the network."""
        kinds = ("Runtime.exceptionThrown", "Log.entryAdded")
        found = [json.dumps(each["params"]) for each in self.events if each.get("method") in kinds]
        asked = (each for each in self.events if each.get("method") == "Network.requestWillBeSent")
        urls = [each["params"]["request"]["url"] for each in asked]
        return found + [url for url in urls if not url.startswith(("file:", "data:", "blob:"))]


@contextmanager
def opened(home: Path) -> Iterator[Page]:
    """Start Chromium, with its profile in a folder, and yield an empty page."""
    asks, ask = os.pipe()
    answers, answer = os.pipe()
    shell = (
        f'exec "$0" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$1" '
        f"--remote-debugging-pipe about:blank 3<&{asks} 4>&{answer}"
    )
    command = ["bash", "-c", shell, str(PROGRAM), str(home)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, pass_fds=(asks, answer), **quiet) as browser:
        os.close(asks)
        os.close(answer)
        try:
            page = Page(ask, answers)
            yield page
        finally:
            browser.kill()
            os.close(ask)
            os.close(answers)
