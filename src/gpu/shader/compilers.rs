//! Compiler threads: one per core, each with a stack of known size. Shader compilers recurse for every level of nesting
//! and every declaration in a chain. Other threads may have stacks of only half a megabyte. Thousands of nested blocks
//! exhaust even the stacks used here.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SendError, Sender, channel};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

use crate::workers::lock;

/// Address space of each stack in bytes. Memory is committed on use.
const STACK: usize = 64 << 20;

thread_local! {
    static IS_DEEP: Cell<bool> = const { Cell::new(false) };
}

type Work = Box<dyn FnOnce() + Send>;

/// The threads wait on this queue until the program ends.
static WORK: LazyLock<Sender<Work>> = LazyLock::new(|| {
    let (sender, receiver) = channel();
    let receiver = Arc::new(Mutex::new(receiver));
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    for _ in 0..count {
        let receiver = Arc::clone(&receiver);
        // If the system has no threads left, a shader is compiled by the code that needs it.
        drop(builder().spawn(move || work_on(&receiver)));
    }
    sender
});

/// Number of tasks that have begun and not been dropped (with their captured data), and a flag that skips the remaining
/// tasks.
struct Begun {
    count: usize,
    is_over: bool,
}

static BEGUN: Mutex<Begun> = Mutex::new(Begun {
    count: 0,
    is_over: false,
});
static LESS: Condvar = Condvar::new();

fn begun() -> MutexGuard<'static, Begun> {
    lock(&BEGUN)
}

/// Drops queued work, and waits for running work. Must be called last. A thread that still compiles or frees the device
/// would crash when the exiting process unloads its driver.
pub fn finish() {
    let mut begun = begun();
    begun.is_over = true;
    while begun.count > 0 {
        begun = LESS.wait(begun).unwrap_or_else(PoisonError::into_inner);
    }
}

fn work_on(receiver: &Mutex<Receiver<Work>>) {
    IS_DEEP.set(true);
    loop {
        let next = lock(receiver).recv();
        let Ok(work) = next else { return };
        if begun().is_over {
            drop(work);
        } else {
            // The code that needs the result repeats the work, and panics as well.
            drop(catch_unwind(AssertUnwindSafe(work)));
        }
        begun().count -= 1;
        LESS.notify_all();
    }
}

fn builder() -> Builder {
    Builder::new().name("shader".to_owned()).stack_size(STACK)
}

/// Queues `work` for the next free thread, without waiting. The work may never run, so code that needs the result must
/// be able to do it.
pub(in crate::gpu) fn begin(work: impl FnOnce() + Send + 'static) {
    begun().count += 1;
    // Sending fails only if no thread could be started.
    if let Err(SendError(work)) = WORK.send(Box::new(work)) {
        begun().count -= 1;
        later(work);
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn later(work: Work) {
    drop(work);
}

/// Does work between frames, because a page has no threads.
#[cfg(target_arch = "wasm32")]
fn later(work: Work) {
    wasm_bindgen_futures::spawn_local(async {
        crate::browser::turn().await;
        work();
    });
}

/// Does `work` on a stack of 64 MiB and waits for the result. A panic reaches the calling thread.
pub(in crate::gpu) fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if IS_DEEP.get() {
        return work();
    }
    let mut work = Some(work);
    let mut done = None;
    let (work_to_take, done_to_fill) = (&mut work, &mut done);
    std::thread::scope(|scope| {
        let thread = builder().spawn_scoped(scope, move || {
            IS_DEEP.set(true);
            *done_to_fill = work_to_take.take().map(|work| work());
        });
        if let Ok(Err(panic)) = thread.map(std::thread::ScopedJoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
    });
    match (done, work) {
        (Some(done), _) => done,
        // No thread could be started, so the work has not begun.
        (None, Some(work)) => work(),
        (None, None) => unreachable!("work that was begun and did not panic is done"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recurses `depth` times. Each call takes more than a kilobyte of stack.
    fn down(depth: u32) -> u32 {
        let room = std::hint::black_box([depth as u8; 1024]);
        match depth {
            0 => u32::from(room[0]),
            _ => down(depth - 1) + u32::from(room[1] == depth as u8),
        }
    }

    #[test]
    fn work_has_room_whatever_thread_asks_for_it() {
        let small = Builder::new().stack_size(256 << 10);
        let thread = small.spawn(|| on_deep_stack(|| on_deep_stack(|| down(10_000))));
        let sum = thread.expect("a thread").join();
        assert_eq!(sum.expect("no overflow"), 10_000);
        let panic = std::panic::catch_unwind(|| on_deep_stack(|| panic!("a fault")));
        assert!(panic.is_err());
    }

    /// The threads are shared, and one test must not stop the work of another.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

    #[test]
    fn what_is_under_way_is_waited_for_and_what_is_not_begun_is_left() {
        let _alone = ONE_AT_A_TIME.lock();
        let (started, has_started) = channel();
        let (done, is_done) = channel();
        for _ in 0..256 {
            let (started, done) = (started.clone(), done.clone());
            begin(move || {
                started.send(()).expect("somebody listens");
                std::thread::sleep(std::time::Duration::from_millis(50));
                done.send(()).expect("somebody listens");
            });
        }
        has_started.recv().expect("one is under way");
        finish();
        let ended = is_done.try_iter().count();
        assert_eq!(has_started.try_iter().count() + 1, ended, "all that began");
        assert!((1..256).contains(&ended), "{ended}");
        begun().is_over = false;
    }

    #[test]
    fn what_is_begun_is_done_on_a_deep_stack_also_after_a_panic() {
        let _alone = ONE_AT_A_TIME.lock();
        let (sender, receiver) = channel();
        for number in 0..64 {
            let sender = sender.clone();
            begin(move || {
                assert!(number % 4 != 0, "a fault");
                let sum = on_deep_stack(|| down(10_000));
                sender.send((number, sum)).expect("somebody listens");
            });
        }
        drop(sender);
        let sums: Vec<(i32, u32)> = receiver.iter().collect();
        assert_eq!(sums.len(), 48);
        assert!(sums.iter().all(|(_, sum)| *sum == 10_000));
    }
}
