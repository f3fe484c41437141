#!/usr/bin/env python3
"""Opens pages of captures and benchmarks in a headless Firefox and checks them there.

    tests/firefox/pages.py PAGE.html [PAGE.html ...]        (Debian: firefox-esr)

The suite opens pages in Chromium; this looks whether another browser unpacks the same values: of every picture the greatest
difference from the reference and the number of pixels that differ must be those of the report. It drives Firefox by Marionette,
which is a part of it, and writes a picture of each page beside it (PAGE.firefox.png). A page forbids scripts that are not its own, so
each page is opened twice: as it is, for what it shows, and without its policy, for the values that only its own script sees.
"""
import base64
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

# As a person would: keys for both layouts, and the worst pixel.
CHECK = """
const done = arguments[arguments.length - 1];
(async () => {
  if (data.runs[0].report === undefined) {
    document.querySelector('svg [data-rows]').dispatchEvent(new MouseEvent('click', { bubbles: true }));
    const panel = document.querySelector('.samples .panel');
    return [[panel !== null, 'a click on a mark shows samples']];
  }
  const checks = [];
  const of = data.pictures.findIndex((one) => one.from === null && one.method === data.runs[0].report.reference);
  const reference = await values(of);
  for (const [index, picture] of data.pictures.entries()) {
    if (picture.run !== 0) continue;
    const floats = await values(index);
    let most = 0, differing = 0;
    for (let at = 0; at < COUNT; at++) {
      let by = 0;
      for (let channel = 0; channel < 4; channel++) by = Math.max(by, Math.abs(floats[channel * COUNT + at] - reference[channel * COUNT + at]));
      most = Math.max(most, by);
      differing += by > 0 ? 1 : 0;
    }
    const row = data.runs[0].report.methods.find((one) => one.method === picture.method);
    const isSame = row && most === row.max_abs && differing === row.differing_pixels;
    checks.push([isSame || (index === of && most === 0), `${picture.name}: max abs ${most}, ${differing} pixels`]);
  }
  for (const key of ['g', 'd', 'w']) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  await new Promise((later) => setTimeout(later, 1500));
  checks.push([view.layout === 'difference' && view.pixel !== null, `keys: ${view.layout}, pixel ${view.pixel}`]);
  checks.push([document.querySelectorAll('#values tbody tr').length === 3, 'the values of the pixel are shown']);
  return checks;
})().then(done, (error) => done([[false, String(error)]]));
"""


# What the page shows where its policy holds.
SHOWN = """
const done = arguments[arguments.length - 1];
setTimeout(() => done([
  [!document.getElementById('main').hidden, 'the page is shown'],
  [document.querySelectorAll('tbody tr').length > 1, `${document.querySelectorAll('tbody tr').length} rows`],
  [document.querySelectorAll('svg').length > 0, `${document.querySelectorAll('svg').length} drawings`],
]), 4000);
"""


class Firefox:
    """A Firefox that answers on Marionette's port."""

    def __init__(self, home):
        self.process = subprocess.Popen(
            ["firefox-esr" if shutil.which("firefox-esr") else "firefox", "--headless", "--no-remote", "--marionette", "--profile", home],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(300):
            try:
                self.socket = socket.create_connection(("127.0.0.1", 2828))
                break
            except OSError:
                time.sleep(0.2)
        else:
            sys.exit("Firefox does not answer on port 2828")
        self.buffer = b""
        self.receive()
        self.number = 0
        self.call("WebDriver:NewSession", {"capabilities": {}})
        self.call("WebDriver:SetWindowRect", {"width": 1400, "height": 1500})
        self.call("WebDriver:SetTimeouts", {"script": 120000, "pageLoad": 120000})

    def receive(self):
        while b":" not in self.buffer:
            self.buffer += self.socket.recv(65536)
        length, _, rest = self.buffer.partition(b":")
        while len(rest) < int(length):
            rest += self.socket.recv(1 << 20)
        self.buffer = rest[int(length):]
        return json.loads(rest[:int(length)])

    def call(self, name, parameters):
        self.number += 1
        message = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.sendall(str(len(message)).encode() + b":" + message)
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(f"{name}: {error['message']}")
        return result.get("value") if isinstance(result, dict) else result


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    failed = False
    with tempfile.TemporaryDirectory() as home:
        firefox = Firefox(home)

        def check(path, script):
            firefox.call("WebDriver:Navigate", {"url": "file://" + os.path.abspath(path)})
            checks = firefox.call("WebDriver:ExecuteAsyncScript", script)
            for holds, what in checks:
                print(f"{'ok    ' if holds else 'FAILED'} {os.path.basename(page)}: {what}")
            return all(holds for holds, _ in checks)

        try:
            for page in sys.argv[1:]:
                failed |= not check(page, {"script": SHOWN, "args": []})
                picture = firefox.call("WebDriver:TakeScreenshot", {"full": False})
                with open(page + ".firefox.png", "wb") as file:
                    file.write(base64.b64decode(picture))
                bare = os.path.join(home, "bare.html")
                with open(page, "rb") as source, open(bare, "wb") as target:
                    target.write(source.read().replace(b'http-equiv="Content-Security-Policy"', b'name="policy"', 1))
                # The page's names are seen by scripts that it evaluates itself, and by no others.
                inside = f"(function () {{ {CHECK} }})"
                failed |= not check(bare, {"script": "window.eval(arguments[0])(arguments[1]);", "args": [inside]})
        finally:
            firefox.process.terminate()
            firefox.process.wait()
    sys.exit(1 if failed else 0)


main()
