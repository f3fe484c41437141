//! Files of splats in the window: read while it is open.

use super::{Desk, SIZE, WINDOW};
use crate::cli::{BINARY, Run};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/splats/inria-3.ply");

#[test]
fn a_file_comes_into_the_open_window_and_a_wrong_one_ends_it_with_its_error() {
    let desk = Desk::new();
    let bytes = std::fs::read(FILE).expect("the fixture");
    let write = |name: &str, bytes: &[u8]| std::fs::write(desk.path(name), bytes).expect("a file");
    write("some.ply", &bytes);
    write("bad.ply", &bytes[..bytes.len() - 9]);
    let flags = "--size 160x90 --fresh --bare --view picture --against pixel-loop";
    let program = desk.open(&format!("some.ply {flags}"), WINDOW);
    program.until("splats are seen", || {
        let (picture, _) = program.picture_area(SIZE)?;
        picture.is_lively().then_some(())
    });
    program.close();

    let mut command = desk.command(BINARY);
    let command = command.arg("run").arg("bad.ply");
    let command = command.args(flags.split_whitespace());
    let run = Run::of("bad.ply", &command.output().expect("the binary starts"));
    assert_eq!(run.code, 2, "{run}");
    assert!(run.stderr.contains("bad.ply: "), "{run}");
}
