//! Memory that readers use, counted at the allocator for the test's thread alone.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use glam::{Quat, Vec3};
use wavelerp::model::splats::Splats;

use super::of_bytes;
use super::write::{Format, Spz, antimatter, compressed, header_of, inria, spz};

/// Overhead of readers for any file: buffers and decompression tables.
const FIXED: usize = 128 << 10;
/// Additional overhead of Zstandard, whose decoder keeps a window of its output.
const WINDOW: usize = 512 << 10;
/// Splats per chunk of compressed PLY.
const CHUNK: usize = 256;
/// Number of splats, enough to take far more than [`FIXED`].
const COUNT: usize = 20 * CHUNK;

thread_local! {
    /// Bytes that this thread has allocated and not freed, and the maximum so far.
    static HELD: Cell<[isize; 2]> = const { Cell::new([0; 2]) };
}

/// The system's allocator, with counts per thread.
struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

/// Adds bytes to this thread's count.
fn note(bytes: isize) {
    // A thread that is ending no longer has a cell.
    let _ = HELD.try_with(|held| {
        let [now, most] = held.get();
        let now = now + bytes;
        held.set([now, most.max(now)]);
    });
}

// SAFETY: every call is passed on to the system's allocator unchanged; the counts are this thread's own numbers,
// which allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size() as isize);
        // SAFETY: as the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size() as isize);
        // SAFETY: as the caller's.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Old and new block may exist at the same time while one is copied to the other.
        note(size as isize);
        // SAFETY: as the caller's.
        let new = unsafe { System.realloc(place, layout, size) };
        note(-(layout.size() as isize));
        new
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        note(-(layout.size() as isize));
        // SAFETY: as the caller's.
        unsafe { System.dealloc(place, layout) };
    }
}

/// Result of `work`, and the largest number of bytes that it allocated at a time.
pub fn most_held<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.with(|held| {
        let [now, _] = held.get();
        held.set([now, now]);
        now
    });
    let made = work();
    let [_, most] = HELD.with(Cell::get);
    (made, most.abs_diff(before))
}

/// A compressed PLY of many chunks, all with the same splats.
fn chunks(degree: u8) -> Vec<u8> {
    let one = compressed(&some(CHUNK, degree));
    let (header, rows) = one.split_at(header_of(&one));
    let header = String::from_utf8_lossy(header)
        .replace("chunk 1\n", &format!("chunk {}\n", COUNT / CHUNK))
        .replace(&format!(" {CHUNK}\n"), &format!(" {COUNT}\n"));
    // The file has ranges, words and coefficients, each for all chunks.
    let (ranges, rows) = rows.split_at(72);
    let (words, coefficients) = rows.split_at(16 * CHUNK);
    let all = [ranges, words, coefficients].map(|part| part.repeat(COUNT / CHUNK));
    [header.into_bytes(), all.concat()].concat()
}

/// `count` splats with harmonics of the given degree.
fn some(count: usize, degree: u8) -> Splats {
    let terms = (usize::from(degree) + 1).pow(2);
    let number = |index: usize| (index % 997) as f32 / 997.0;
    let place = |i| Vec3::new(number(i), number(7 * i), number(13 * i));
    let term = |i| Vec3::splat(number(3 * i) - 0.5);
    Splats {
        positions: (0..count).map(place).collect(),
        rotations: vec![Quat::IDENTITY; count],
        scales: (0..count).map(|i| Vec3::splat(0.1 + number(i))).collect(),
        opacities: vec![0.5; count],
        degree,
        harmonics: (0..count * terms).map(term).collect(),
        ..Splats::default()
    }
}

/// Reads a file's bytes. Returns the largest number of bytes that the reader allocated at a time, and the limit.
fn held_and_allowed(bytes: &[u8], name: &str) -> [usize; 2] {
    let (read, held) = most_held(|| of_bytes(bytes, name));
    let read = read.expect("the file is read");
    assert_eq!(read.len(), COUNT, "{name}");
    [held, 2 * bytes.len() + read.bytes() as usize]
}

#[test]
fn no_reader_takes_more_than_twice_the_file_and_what_it_holds() {
    let files = |degree: u8| {
        let splats = &some(COUNT, degree);
        [
            ("a.ply", inria(splats, Format::Little), FIXED),
            ("text.ply", inria(splats, Format::Text), FIXED),
            ("packed.ply", chunks(degree), FIXED),
            ("a.splat", antimatter(splats), FIXED),
            ("v2.spz", spz(splats, &Spz::of(2)), FIXED),
            ("v3.spz", spz(splats, &Spz::of(3)), FIXED),
            ("v4.spz", spz(splats, &Spz::of(4)), WINDOW),
        ]
    };
    for degree in [0, 3] {
        for (name, bytes, fixed) in files(degree) {
            let [held, allowed] = held_and_allowed(&bytes, name);
            let said = format!("{held} bytes held, {allowed} and {fixed} allowed");
            assert!(held <= allowed + fixed, "{name} of degree {degree}: {said}");
        }
    }
}

#[test]
fn a_reader_that_keeps_three_copies_of_a_file_would_be_found() {
    let bytes = inria(&some(COUNT, 0), Format::Little);
    let [held, allowed] = held_and_allowed(&bytes, "a.ply");
    let (_, wasted) = most_held(|| {
        let copies = [bytes.to_vec(), bytes.to_vec(), bytes.to_vec()];
        (held_and_allowed(&bytes, "a.ply"), copies)
    });
    assert!(wasted >= held + 3 * bytes.len(), "{wasted} of {held}");
    assert!(wasted > allowed + FIXED, "{wasted} of {allowed}");
}
