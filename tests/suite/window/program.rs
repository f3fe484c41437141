//! The program with its window: tests start it, drive it with keys and mouse, observe it and close it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use super::display::{Running, text, wait};
use super::{Desk, Picture};
use crate::cli::{BINARY, png_text};
use crate::harness::entries;

/// The running program.
pub struct Program<'a> {
    desk: &'a Desk,
    process: RefCell<Running>,
    stderr: PathBuf,
    window: String,
    size: Cell<[u32; 2]>,
    /// Pictures that were saved earlier.
    seen: BTreeSet<PathBuf>,
}

/// A picture saved by the program.
pub struct Shot {
    pub path: PathBuf,
    pub picture: Picture,
    pub command: String,
}

impl Shot {
    /// True if the file's name contains `what`, such as a method or a view.
    pub fn is_of(&self, what: &str) -> bool {
        let name = self.path.file_name().expect("a file").to_string_lossy();
        name.contains(&format!("_{what}_"))
    }
}

impl Desk {
    /// Opens the window with the given arguments, at the given size in pixels.
    pub fn open(&self, arguments: &str, size: [u32; 2]) -> Program<'_> {
        self.open_with(arguments, size, &[])
    }

    /// Opens the window with additional environment variables.
    pub fn open_with(
        &self,
        arguments: &str,
        size: [u32; 2],
        variables: &[(&str, &str)],
    ) -> Program<'_> {
        let program = self.start(arguments, variables);
        program.resize(size);
        program
    }

    /// Opens the window at its default size, and waits until it draws.
    pub fn open_as_it_opens(&self, arguments: &str) -> Program<'_> {
        let mut program = self.start(arguments, &[]);
        program.shot();
        program.size.set(program.place().1);
        program
    }

    fn start(&self, arguments: &str, variables: &[(&str, &str)]) -> Program<'_> {
        let stderr = self.path("stderr.txt");
        let file = std::fs::File::create(&stderr).expect("the test's file is made");
        let mut command = self.command(BINARY);
        command
            .arg("run")
            .args(arguments.split_whitespace())
            .envs(variables.iter().copied());
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let child = command.stderr(file).spawn().expect("the binary starts");
        let mut program = Program {
            desk: self,
            process: RefCell::new(Running(child)),
            stderr,
            window: String::new(),
            size: Cell::new([0; 2]),
            seen: all_pictures(self).into_iter().collect(),
        };
        program.window = program.until("a window appears", || {
            let found = self.tool("xdotool", &["search", "--name", "^wavelerp$"]);
            text(&found.stdout).lines().next().map(str::to_owned)
        });
        program
    }
}

impl Program<'_> {
    /// Polls until there is a result. Fails if the program ends first, or after the timeout.
    pub fn until<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let seen = wait(|| match look() {
            Some(seen) => Some(Some(seen)),
            // After the program has ended, there will be no result.
            None => self.status().map(|_| None),
        });
        match seen.flatten() {
            Some(seen) => seen,
            None => self.fail(&format!("waited in vain until {what}")),
        }
    }

    /// Polls until a condition is true.
    pub fn until_it(&self, what: &str, mut holds: impl FnMut() -> bool) {
        self.until(what, || holds().then_some(()));
    }

    /// Exit status of the program, if it has ended.
    fn status(&self) -> Option<ExitStatus> {
        let mut process = self.process.borrow_mut();
        process.0.try_wait().expect("a child process")
    }

    /// Fails the test with all available information.
    pub fn fail(&self, what: &str) -> ! {
        let state = match self.status() {
            Some(status) => format!("the program has ended: {status}"),
            None => "the program runs".to_owned(),
        };
        let picture = match self.grab() {
            Some(_) => format!("; the window is in {}", self.grab_path().display()),
            None => String::new(),
        };
        panic!("{what}; {state}{picture}; it said:\n{}", self.said())
    }

    /// The program's standard error, without the line about its shader folder.
    pub fn said(&self) -> String {
        let all = std::fs::read_to_string(&self.stderr).expect("standard error is kept");
        let lines = all.split_inclusive('\n');
        lines
            .filter(|line| !line.starts_with("shaders come from "))
            .collect()
    }

    fn tool(&self, program: &str, arguments: &[&str]) -> String {
        text(&self.desk.tool(program, arguments).stdout)
    }

    /// Gives the window the focus, and presses keys one after the other, named as in xdotool.
    pub fn keys(&self, keys: &[&str]) {
        self.focus();
        self.tool("xdotool", &[&["key"], keys].concat());
    }

    /// Raises the window, also if it is minimised, and gives it the focus.
    pub fn focus(&self) {
        self.tool("xdotool", &["windowactivate", "--sync", &self.window]);
    }

    /// Moves the mouse to a place in the window.
    pub fn point(&self, [x, y]: [u32; 2]) {
        let [x, y] = [x, y].map(|along| along.to_string());
        self.tool("xdotool", &["mousemove", "--window", &self.window, &x, &y]);
    }

    /// Drags with a button held.
    pub fn drag(&self, from: [u32; 2], to: [u32; 2], button: &str) {
        self.focus();
        self.point(from);
        self.tool("xdotool", &["mousedown", button]);
        // The mouse moves in two steps, because a drag begins with the first move.
        self.point([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]);
        self.point(to);
        self.tool("xdotool", &["mouseup", button]);
    }

    /// Clicks at a place in the window.
    pub fn click(&self, at: [u32; 2]) {
        self.focus();
        self.point(at);
        self.tool("xdotool", &["click", "1"]);
    }

    /// Turns the wheel by a few notches at a place in the window.
    pub fn scroll(&self, at: [u32; 2], down: bool) {
        self.point(at);
        let button = if down { "5" } else { "4" };
        self.tool("xdotool", &["click", "--repeat", "5", button]);
    }

    /// Process ID.
    pub fn id(&self) -> u32 {
        self.process.borrow().0.id()
    }

    /// Gives the window a new size.
    pub fn resize(&self, size: [u32; 2]) {
        self.size.set(size);
        let [width, height] = size.map(|edge| edge.to_string());
        self.tool("xdotool", &["windowsize", &self.window, &width, &height]);
        let wanted = format!("WIDTH={width}\nHEIGHT={height}\n");
        self.until_it(&format!("the window has {size:?} pixels"), || {
            let question = ["getwindowgeometry", "--shell", &self.window];
            self.tool("xdotool", &question).contains(&wanted)
        });
    }

    /// Position and size of the window on the screen, with and without its frame.
    pub fn place(&self) -> ([[u32; 2]; 2], [u32; 2]) {
        let numbers = |text: &str| -> Vec<u32> {
            let words = text.split(|c: char| !c.is_ascii_digit());
            words.filter_map(|word| word.parse().ok()).collect()
        };
        let tree = ["-id", &self.window, "-stats"];
        let said = self.tool("xwininfo", &tree);
        let of = |name: &str| {
            let line = said.lines().find(|line| line.trim().starts_with(name));
            numbers(line.unwrap_or_else(|| self.fail(&said)))[0]
        };
        let corner = ["Absolute upper-left X", "Absolute upper-left Y"].map(of);
        let size = ["Width", "Height"].map(of);
        let question = ["-id", &self.window, "_NET_FRAME_EXTENTS"];
        let frame = numbers(&self.tool("xprop", &question));
        let [left, right, top, bottom] = frame[..] else {
            self.fail(&format!("no frame: {frame:?}"))
        };
        let outer = [
            [corner[0] - left, corner[1] - top],
            [size[0] + left + right, size[1] + top + bottom],
        ];
        (outer, size)
    }

    /// Minimises the window and waits until it is minimised.
    pub fn minimise(&self) {
        self.tool("xdotool", &["windowminimize", &self.window]);
        self.until_it("the window is minimised", || self.is_minimised());
    }

    /// True if the window manager reports that the window is minimised.
    pub fn is_minimised(&self) -> bool {
        let names = ["-id", &self.window, "WM_STATE", "_NET_WM_STATE"];
        let states = self.tool("xprop", &names);
        states.contains("window state: Iconic") && states.contains("_NET_WM_STATE_HIDDEN")
    }

    /// True if the program has not ended.
    pub fn runs(&self) -> bool {
        self.status().is_none()
    }

    fn grab_path(&self) -> PathBuf {
        self.desk.path("window.ppm")
    }

    /// The window on screen; `None` while it is not visible.
    pub fn grab(&self) -> Option<Picture> {
        let path = self.grab_path();
        // PPM is not compressed, which matters because the window is grabbed again and again until it shows something.
        let file = format!("ppm:{}", path.display());
        let arguments = ["-silent", "-window", &self.window, "-depth", "8", &file];
        let output = self.desk.tool("import", &arguments);
        let picture = output.status.success().then(|| Picture::read_ppm(&path))?;
        // Just after the window has opened or changed its size, the grab may have only a part of it.
        (picture.size == self.size.get()).then_some(picture)
    }

    /// Waits until the window shows `picture` exactly, pixel by pixel, at any whole zoom. Returns the zoom.
    pub fn shows(&self, picture: &Picture) -> u32 {
        self.until("the window shows the saved picture", || {
            self.grab()?.zoom_of(picture)
        })
    }

    /// Presses F2 and waits for the picture. By then, all earlier keys have taken effect.
    pub fn shot(&mut self) -> Shot {
        self.shot_by("F2")
    }

    /// Presses a key that saves a picture and waits for the picture.
    pub fn shot_by(&mut self, key: &str) -> Shot {
        self.keys(&[key]);
        let is_new = |path: &PathBuf| !self.seen.contains(path);
        let path = self.until(&format!("{key} has saved a picture"), || {
            all_pictures(self.desk).into_iter().find(is_new)
        });
        self.seen.insert(path.clone());
        Shot {
            picture: Picture::read(&path),
            command: command_in(&path),
            path,
        }
    }

    /// Closes the window with a key; the exit code must be 0, and there must be no output.
    pub fn close(self) {
        self.keys(&["ctrl+q"]);
        let said = self.ended();
        assert_eq!(said, "", "the program and the validation layers are quiet");
    }

    /// Waits until the program ends with exit code 0. Returns its output.
    pub fn ended(self) -> String {
        self.ended_by(0)
    }

    /// Waits until the program ends with the given exit code. Returns its output.
    pub fn ended_by(self, code: i32) -> String {
        match wait(|| self.status()) {
            Some(status) if status.code() == Some(code) => self.said(),
            _ => self.fail(&format!("the program does not end with exit code {code}")),
        }
    }
}

/// All PNG files below the folder of screenshots.
pub fn all_pictures(desk: &Desk) -> Vec<PathBuf> {
    let scenes = entries(&desk.path("screenshots/local"));
    let files = scenes.iter().flat_map(|scene| entries(scene));
    files
        .filter(|path| path.extension().is_some_and(|ending| ending == "png"))
        .collect()
}

/// The command in a PNG's metadata.
pub fn command_in(path: &Path) -> String {
    let bytes = std::fs::read(path).expect("the picture is read");
    png_text(&bytes, "command").expect("every picture contains its command")
}
