"""Chromium from Debian, driven by selenium, with pages of reports."""
import base64
import json
import pathlib
import tempfile
import time

import numpy as np

WITHOUT_WEBGL = ["--disable-3d-apis"]
WITH_WEBGL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
QUIET = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1600,800"]
PIXELS = """
const drawn = document.querySelector('canvas.picture'), copy = document.createElement('canvas');
copy.width = drawn.width; copy.height = drawn.height;
const context = copy.getContext('2d');
context.drawImage(drawn, 0, 0);
const bytes = context.getImageData(0, 0, copy.width, copy.height).data;
let text = '';
for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
return [copy.width, copy.height, btoa(text)];
"""


def missing_programs():
    """What Debian's packages chromium, chromium-driver and python3-selenium would bring, as words; empty when all is there."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "python3-selenium is missing"
    programs = ("/usr/bin/chromium", "/usr/bin/chromedriver")
    return ", ".join(f"{program} is missing" for program in programs if not pathlib.Path(program).exists())


class Browser:
    """Chromium with a page; started a second time where the first start fails."""

    def __init__(self, flags, folder):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
        self.folder = folder
        for attempt in (1, 2):
            options = webdriver.ChromeOptions()
            options.binary_location = "/usr/bin/chromium"
            for flag in [*QUIET, *flags, f"--user-data-dir={tempfile.mkdtemp(dir=folder)}"]:
                options.add_argument(flag)
            options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
            options.add_experimental_option("prefs", {"download.default_directory": str(folder)})
            try:
                self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
                break
            except Exception:
                if attempt == 2:
                    raise
        self.driver.set_page_load_timeout(60)
        self.driver.set_script_timeout(60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def open(self, page, wish=""):
        self.driver.get("about:blank")      # another word behind `#` alone would not load the page anew
        self.driver.get(f"file://{page}{wish}")
        self.wait(lambda: self.run("return document.documentElement.dataset.ready"))

    def wait(self, condition, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = condition()
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError("the page did not become ready")

    def is_shown_whole(self):
        """Every tab opens, and no banner says that something cannot be read."""
        assert self.run("return document.documentElement.dataset.ready") == "true", self.run("return document.body.innerText")[:300]
        names = self.run("return [...document.querySelectorAll('.tabs button')].map((tab) => tab.textContent)")
        for name in names:
            self.run("[...document.querySelectorAll('.tabs button')].find((tab) => tab.textContent === arguments[0]).click()", name)
            time.sleep(0.05)
        banners = self.run("return [...document.querySelectorAll('#app > .banner')].map((banner) => banner.innerText)")
        assert not banners, banners
        return names

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def ask(self, call, *arguments):
        """The answer of window.solidyn, awaited; what goes wrong there is an error here."""
        found = self.driver.execute_async_script(
            f"const done = arguments[arguments.length - 1]; Promise.resolve(solidyn.{call}(...arguments[0]))"
            ".then((answer) => done([answer]), (error) => done(String(error)))", list(arguments))
        assert isinstance(found, list), found
        return found[0]

    def show(self, **state):
        """Sets the state of the view (sets of bodies as lists) and draws it at once."""
        self.run("const s = arguments[0]; for (const k of ['hidden', 'transparent']) if (s[k]) s[k] = new Set(s[k]);"
                 "solidyn.view.set(s); solidyn.draw();", state)

    def pixels(self):
        """[height, width, 3]"""
        width, height, text = self.run(PIXELS)
        return np.frombuffer(base64.b64decode(text), "u1").reshape(height, width, 4)[:, :, :3].astype(int)

    def is_quiet(self):
        """The console is empty, and nothing but the page itself was asked for."""
        console = [entry["message"] for entry in self.driver.get_log("browser")]
        assert not console, console
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent" and message["params"]["documentURL"].startswith("file://"):
                address = message["params"]["request"]["url"]
                assert address.startswith(("file://", "blob:", "data:")), address
