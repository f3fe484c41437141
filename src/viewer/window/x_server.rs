//! Detects the loss of the X server, so that the window can close and save its settings. By default, Xlib ends the
//! process or winit panics.

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};

use libloading::Library;
use winit::raw_window_handle::{HasDisplayHandle, RawDisplayHandle};

static IS_GONE: AtomicBool = AtomicBool::new(false);

type OnError = unsafe extern "C" fn(display: *mut c_void) -> c_int;
type OnEnd = unsafe extern "C" fn(display: *mut c_void, data: *mut c_void);
type SetOnError = unsafe extern "C" fn(OnError) -> Option<OnError>;
type SetOnEnd = unsafe extern "C" fn(display: *mut c_void, OnEnd, data: *mut c_void);

/// Runs the event loop. Returns `None` if the X server has gone.
pub(super) fn until_gone<T>(run: impl FnOnce() -> T) -> Option<T> {
    let others = take_hook();
    set_hook(Box::new(move |panic| {
        let is_of_winit = (panic.location()).is_some_and(|at| at.file().contains("winit"));
        let said = panic.payload_as_str().unwrap_or_default();
        match is_of_winit && said.contains("Connection") {
            true => IS_GONE.store(true, Ordering::Relaxed),
            false => others(panic),
        }
    }));
    match catch_unwind(AssertUnwindSafe(run)) {
        _ if IS_GONE.load(Ordering::Relaxed) => None,
        Ok(ended) => Some(ended),
        Err(panic) => resume_unwind(panic),
    }
}

/// If the X server has gone, leaves the event loop without winit, which would contact the server again.
pub(super) fn leave_if_gone() {
    if IS_GONE.load(Ordering::Relaxed) {
        resume_unwind(Box::new(()));
    }
}

/// Makes Xlib record the loss of its server. Versions before 1.7 still end the process.
pub(super) fn outlive(event_loop: &impl HasDisplayHandle) {
    let handle = event_loop.display_handle().map(|handle| handle.as_raw());
    if let Ok(RawDisplayHandle::Xlib(handle)) = handle
        && let Some(display) = handle.display
    {
        // SAFETY: winit has loaded this library and opened the display; types and names are those of the library's
        // header, and neither handler calls the library or unwinds.
        let _: Result<(), libloading::Error> = (|| unsafe {
            let xlib = Library::new("libX11.so.6")?;
            xlib.get::<SetOnEnd>(b"XSetIOErrorExitHandler")?(display.as_ptr(), note, null_mut());
            xlib.get::<SetOnError>(b"XSetIOErrorHandler")?(say_nothing);
            Ok(())
        })();
    }
}

unsafe extern "C" fn say_nothing(_: *mut c_void) -> c_int {
    0
}

unsafe extern "C" fn note(_: *mut c_void, _: *mut c_void) {
    IS_GONE.store(true, Ordering::Relaxed);
}
