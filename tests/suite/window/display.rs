//! A private screen: a virtual X server on a free display, with a window manager, and an empty folder as the user's
//! home. Dropping the screen ends both programs; the folder stays if the test failed.

use std::cell::RefCell;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Instant;

use super::{PATIENCE, PAUSE};

/// Size of the screen, large enough for a window of the usual size.
const SCREEN: [u32; 2] = [1920, 1300];

/// Folder in the home with the program's shaders, in which fog is lit at few points.
const SHADERS: &str = "coarse";

/// A process that is ended when its owner is dropped.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A screen and a home folder.
pub struct Desk {
    folder: tempfile::TempDir,
    display: String,
    // Fields are dropped in this order: the window manager before the server.
    _manager: Running,
    server: RefCell<Running>,
}

impl Desk {
    pub fn new() -> Self {
        Self::with_screen(SCREEN)
    }

    /// A desk with a screen of the given size in pixels.
    pub fn with_screen([width, height]: [u32; 2]) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let mut server = Command::new("Xvfb");
        // The server picks a free display and writes its number to this descriptor.
        server.args("-displayfd 1 -noreset -nolisten tcp -screen 0".split(' '));
        server.arg(format!("{width}x{height}x24"));
        server.stdout(Stdio::piped());
        let mut server = start(server);
        let stdout = server.0.stdout.take().expect("standard output is piped");
        let mut number = String::new();
        let read = BufReader::new(stdout).read_line(&mut number);
        assert!(read.is_ok_and(|bytes| bytes > 1), "Xvfb names no display");
        let display = format!(":{}", number.trim());
        crate::harness::write_shaders(&folder.path().join(SHADERS));
        let mut manager = Command::new("openbox");
        manager.args(["--sm-disable", "--config-file"]);
        manager.arg(settings_of_the_window_manager(folder.path()));
        manager.env("HOME", folder.path()).env("DISPLAY", &display);
        let desk = Self {
            folder,
            display,
            _manager: start(manager),
            server: server.into(),
        };
        let ready = || {
            let check = desk.tool("xprop", &["-root", "_NET_SUPPORTING_WM_CHECK"]);
            text(&check.stdout).contains("window id").then_some(())
        };
        wait(ready).unwrap_or_else(|| panic!("openbox does not answer"));
        desk
    }

    /// Kills the X server while programs use it.
    pub fn end_server(&self) {
        let killed = self.server.borrow_mut().0.kill();
        killed.expect("the server runs");
    }

    /// A path in the home, which is also the program's working directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A command that runs on this screen and in this home.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.folder.path())
            .env("DISPLAY", &self.display)
            .env("HOME", self.folder.path())
            .env("XDG_CONFIG_HOME", self.path("config"))
            // There must be no desktop session, because its file dialogs would open.
            .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
            // Without this, Mesa's device-select layer complains that it has nothing to choose from.
            .env("NODEVICE_SELECT", "1")
            // No GPU presents on this screen.
            .env("WAVELERP_ADAPTER", "llvmpipe")
            .env("WAVELERP_SHADERS", self.path(SHADERS))
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .env_remove("RUST_LOG");
        command
    }

    /// Runs a tool that inspects or drives the screen. A missing tool is a failure.
    pub fn tool(&self, program: &str, arguments: &[&str]) -> Output {
        // Some tools wait for a window forever.
        let limit = PATIENCE.as_secs().to_string();
        let mut command = self.command("timeout");
        let output = command.arg(limit).arg(program).args(arguments).output();
        let output = output.unwrap_or_else(|error| missing("timeout", &error));
        if output.status.code() == Some(127) {
            missing(program, &text(&output.stderr));
        }
        output
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.folder.disable_cleanup(true);
            let folder = self.folder.path().display();
            eprintln!("pictures and standard error are in {folder}");
        }
    }
}

/// Settings that leave all keys except Alt+F4 to the program, and windows at the size they ask for.
fn settings_of_the_window_manager(home: &Path) -> PathBuf {
    let path = home.join("openbox.xml");
    let text = r#"<?xml version="1.0"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <keyboard><keybind key="A-F4"><action name="Close"/></keybind></keyboard>
</openbox_config>
"#;
    std::fs::write(&path, text).expect("the window manager's settings are written");
    path
}

/// Starts a long-running program.
fn start(mut command: Command) -> Running {
    let name = command.get_program().to_string_lossy().into_owned();
    let child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn();
    Running(child.unwrap_or_else(|error| missing(&name, &error)))
}

fn missing(program: &str, why: &dyn std::fmt::Display) -> ! {
    panic!("{program} is needed, `cargo xtask setup --test` installs it: {why}")
}

/// Polls until there is a result; `None` after the timeout.
pub fn wait<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        let seen = look();
        if seen.is_some() || start.elapsed() > PATIENCE {
            return seen;
        }
        std::thread::sleep(PAUSE);
    }
}

/// Text that a tool printed.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
