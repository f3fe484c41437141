//! A headless Chromium, driven over a pipe with the DevTools protocol. It records all requested addresses, and fails
//! the test if the console shows anything.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Names of Chromium, in the order in which they are tried; WAVELERP_BROWSER names another browser.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// Timeout, ample even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Browser {
    process: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    next: u64,
    session: Option<String>,
    /// Errors of pages: exceptions, console messages, policy violations.
    faults: Vec<String>,
    may_complain: bool,
    /// Addresses requested by pages.
    pub requests: Vec<String>,
    /// Folder of the profile and of everything else that the browser writes.
    _home: tempfile::TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        if !self.may_complain && !std::thread::panicking() {
            assert!(self.faults.is_empty(), "{:?}", self.faults);
        }
    }
}

impl Browser {
    /// Opens an empty page of the given size in points.
    pub fn open(size: [u32; 2]) -> Self {
        Self::open_with(size, "--disable-gpu")
    }

    /// Opens an empty page in a browser with these flags.
    pub fn open_with([width, height]: [u32; 2], more: &str) -> Self {
        let home = tempfile::tempdir().expect("a folder for the browser");
        let named = std::env::var("WAVELERP_BROWSER").ok();
        let is_there = |name: &&str| {
            let mut command = Command::new(name);
            let command = command.arg("--version").stdout(Stdio::null());
            command.stderr(Stdio::null()).status().is_ok()
        };
        let found = NAMES.into_iter().find(is_there).map(str::to_owned);
        let program = named.or(found).expect(
            "no Chromium: install it with `cargo xtask setup`, or name one by WAVELERP_BROWSER",
        );
        // Chromium reads commands from file 3 and writes answers to file 4.
        let pipes = "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null";
        let flags = "--headless=new --no-sandbox --remote-debugging-pipe --no-first-run \
                     --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars";
        let mut process = Command::new("sh")
            .args(["-c", pipes, "sh", &program])
            .args(flags.split_whitespace().chain(more.split_whitespace()))
            .arg(format!("--user-data-dir={}", home.path().display()))
            .arg(format!("--window-size={width},{height}"))
            .arg("about:blank")
            .env("HOME", home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let to = process.stdin.take().expect("a pipe");
        let answers = BufReader::new(process.stdout.take().expect("a pipe"));
        let (send, from) = channel();
        std::thread::spawn(move || {
            for bytes in answers.split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&bytes);
                let is_sent = message.is_ok_and(|message| send.send(message).is_ok());
                if !is_sent {
                    break;
                }
            }
        });
        let mut browser = Self {
            process,
            to,
            from,
            next: 0,
            session: None,
            faults: Vec::new(),
            may_complain: false,
            requests: Vec::new(),
            _home: home,
        };
        let target = browser.call("Target.createTarget", &json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = browser.call("Target.attachToTarget", &attach);
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for part in ["Runtime", "Log", "Network", "Page"] {
            browser.call(&format!("{part}.enable"), &json!({}));
        }
        browser.resize([width, height]);
        browser
    }

    /// Ignores messages of pages, for tests of incomplete pages.
    pub fn which_may_complain(mut self) -> Self {
        self.may_complain = true;
        self
    }

    pub fn resize(&mut self, [width, height]: [u32; 2]) {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Runs a script in every later page, before the page's own scripts.
    pub fn before_pages(&mut self, script: &str) {
        let call = json!({ "source": script });
        self.call("Page.addScriptToEvaluateOnNewDocument", &call);
    }

    /// Shows the page as printed on paper of the given size in points.
    pub fn paper(&mut self, size: [u32; 2]) {
        self.call("Emulation.setEmulatedMedia", &json!({"media": "print"}));
        self.resize(size);
    }

    /// Opens a file with a fragment (the part after `#`), and waits until the page is shown.
    pub fn show(&mut self, file: &Path, link: &str) {
        self.load(file, link);
        self.until("document.getElementById('main') && !document.getElementById('main').hidden");
    }

    /// Opens an address.
    pub fn go_to(&mut self, url: &str) {
        self.call("Page.navigate", &json!({"url": url}));
    }

    /// Opens a file, which may be an incomplete page.
    pub fn load(&mut self, file: &Path, link: &str) {
        // If only the fragment changed, the browser would not load the page again.
        self.call("Page.navigate", &json!({"url": "about:blank"}));
        let url = format!("file://{}{link}", file.display());
        self.call("Page.navigate", &json!({"url": url}));
        self.until("document.readyState === 'complete' && location.protocol === 'file:'");
    }

    /// Value of an expression in the page; if it is a promise, its result.
    pub fn value(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", &asked);
        let is_good = answer.get("exceptionDetails").is_none();
        assert!(is_good, "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Value of an expression in the page, deserialised.
    pub fn read<T: DeserializeOwned>(&mut self, expression: &str) -> T {
        let value = self.value(expression);
        serde_json::from_value(value).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// Waits until an expression is true.
    pub fn until(&mut self, expression: &str) {
        let began = Instant::now();
        while self.value(&format!("Boolean({expression})")) != true {
            let is_late = began.elapsed() > PATIENCE;
            assert!(!is_late, "{expression} is false; {:?}", self.faults);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses and releases a key, such as `x` or `ArrowDown`. For Shift and the third digit, `code` is `Digit3` and
    /// `modifiers` is 8.
    pub fn press(&mut self, key: &str, code: &str, modifiers: u32) {
        for kind in ["keyDown", "keyUp"] {
            let event = json!({"type": kind, "key": key, "code": code, "modifiers": modifiers});
            self.call("Input.dispatchKeyEvent", &event);
        }
    }

    /// Sends a mouse event at a point of the page: `mouseMoved`, `mousePressed`, `mouseReleased`, or `mouseWheel` by
    /// `wheel`.
    pub fn mouse(&mut self, kind: &str, [x, y]: [f64; 2], wheel: f64) {
        let is_button = ["mousePressed", "mouseReleased"].contains(&kind);
        let event = json!({
            "type": kind, "x": x, "y": y, "deltaX": 0, "deltaY": wheel,
            "button": if is_button { "left" } else { "none" },
            "clickCount": u32::from(is_button),
        });
        self.call("Input.dispatchMouseEvent", &event);
    }

    /// Drags with the left button.
    pub fn drag(&mut self, from: [f64; 2], to: [f64; 2]) {
        let middle = [0, 1].map(|axis| f64::midpoint(from[axis], to[axis]));
        let event = |kind: &str, [x, y]: [f64; 2], buttons: u32| json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1});
        let events = [
            event("mouseMoved", from, 0),
            event("mousePressed", from, 1),
            event("mouseMoved", middle, 1),
            event("mouseMoved", to, 1),
            event("mouseReleased", to, 0),
        ];
        for event in events {
            self.call("Input.dispatchMouseEvent", &event);
        }
    }

    fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.next += 1;
        let mut command = json!({"id": self.next, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        write!(self.to, "{command}\0").expect("the browser reads");
        loop {
            let message = self.from.recv_timeout(PATIENCE);
            let message = message.unwrap_or_else(|why| panic!("{method}: no answer: {why}"));
            if message["id"] == self.next {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
            self.keep(&message);
        }
    }

    /// Records a page's errors and requests.
    fn keep(&mut self, message: &Value) {
        let parameters = &message["params"];
        let said = parameters["type"].as_str().unwrap_or_default();
        let is_fault = match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Log.entryAdded") => parameters["entry"]["level"] == "error",
            Some("Runtime.consoleAPICalled") => ["error", "warning", "assert"].contains(&said),
            Some("Network.requestWillBeSent") => {
                let url = parameters["request"]["url"].as_str().unwrap_or_default();
                self.requests.push(url.chars().take(200).collect());
                false
            }
            _ => false,
        };
        self.faults.extend(is_fault.then(|| parameters.to_string()));
    }
}
