//! Work on a stack whose size is known. The compilers of shaders go down one call for every level of nesting in a
//! text, and for every declaration in a chain of them; where they do not run on the main thread, the stack may be as
//! small as half a megabyte. What a text may ask of this stack is bounded in `nesting.rs`.

use std::cell::Cell;

/// Bytes of address space; memory is taken as it is used.
const STACK: usize = 64 << 20;

thread_local! {
    static IS_DEEP: Cell<bool> = const { Cell::new(false) };
}

/// Does `work` on a stack of 64 MiB, and waits for it. A panic goes on in the calling thread.
pub(super) fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if IS_DEEP.get() {
        return work();
    }
    let mut work = Some(work);
    let mut done = None;
    let (work_to_take, done_to_fill) = (&mut work, &mut done);
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("shader".to_owned());
        let thread = builder.stack_size(STACK).spawn_scoped(scope, move || {
            IS_DEEP.set(true);
            *done_to_fill = work_to_take.take().map(|work| work());
        });
        if let Ok(Err(panic)) = thread.map(std::thread::ScopedJoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
    });
    match (done, work) {
        (Some(done), _) => done,
        // The system has no thread left: the work was not begun.
        (None, Some(work)) => work(),
        (None, None) => unreachable!("work that was begun and did not panic is done"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goes down `depth` calls of more than a kilobyte each.
    fn down(depth: u32) -> u32 {
        let room = std::hint::black_box([depth as u8; 1024]);
        match depth {
            0 => u32::from(room[0]),
            _ => down(depth - 1) + u32::from(room[1] == depth as u8),
        }
    }

    #[test]
    fn work_has_room_whatever_thread_asks_for_it() {
        let small = std::thread::Builder::new().stack_size(256 << 10);
        let thread = small.spawn(|| on_deep_stack(|| on_deep_stack(|| down(10_000))));
        let sum = thread.expect("a thread").join();
        assert_eq!(sum.expect("no overflow"), 10_000);
        let panic = std::panic::catch_unwind(|| on_deep_stack(|| panic!("a fault")));
        assert!(panic.is_err());
    }
}
