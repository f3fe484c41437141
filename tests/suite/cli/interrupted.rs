//! A program that is interrupted leaves no unfinished files.

use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};

use wavelerp::cli::interrupt::remove_unfinished_when_interrupted;
use wavelerp::writing::unfinished::Unfinished;

/// Tells the process of this test that it is the one to be interrupted, and names its folder.
const FOLDER: &str = "WAVELERP_TEST_INTERRUPTED_IN";
const NAME: &str =
    "cli::interrupted::an_interrupted_program_removes_what_is_unfinished_and_dies_of_the_signal";

#[test]
fn an_interrupted_program_removes_what_is_unfinished_and_dies_of_the_signal() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return wait_to_be_interrupted(Path::new(&folder));
    }
    for (signal, number) in [("INT", 2), ("TERM", 15)] {
        let home = tempfile::tempdir().expect("a folder for the test");
        let mut program = Command::new(std::env::current_exe().expect("this test's program"))
            .args(["--exact", NAME, "--nocapture"])
            .env(FOLDER, home.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let output = BufReader::new(program.stdout.take().expect("it is piped"));
        let is_ready = |line: &std::io::Result<String>| line.as_ref().is_ok_and(|l| l == "ready");
        assert!(output.lines().any(|line| is_ready(&line)));
        let names = || {
            std::fs::read_dir(home.path())
                .expect("the folder is read")
                .count()
        };
        assert_eq!(names(), 3, "a file that is finished and two that are not");
        let id = program.id().to_string();
        let killed = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(killed.is_ok_and(|status| status.success()));
        let status = program.wait().expect("it ends");
        assert_eq!(status.signal(), Some(number), "{status}");
        assert_eq!(names(), 1, "{signal}");
        assert!(home.path().join("finished").exists());
    }
}

fn wait_to_be_interrupted(folder: &Path) {
    remove_unfinished_when_interrupted();
    let mut finished = Unfinished::file(folder, "finished".as_ref(), b"x").expect("a file");
    finished.finish(&folder.join("finished")).expect("its name");
    let file = Unfinished::file(folder, "file".as_ref(), b"x").expect("a file");
    let set = Unfinished::folder(folder, "set".as_ref()).expect("a folder");
    std::fs::write(set.path().join("picture.png"), "x").expect("a file");
    // The thread that waits for signals has started by then.
    std::thread::sleep(std::time::Duration::from_millis(200));
    println!("\nready");
    std::thread::sleep(std::time::Duration::from_secs(60));
    drop((file, set));
}
