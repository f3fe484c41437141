//! What happens when the program is interrupted (Ctrl-C, SIGTERM): unfinished files are removed, and then it ends
//! as any program does.

use crate::writing::unfinished;

/// Makes an interruption remove unfinished files before it ends the program. If the system refuses, an interruption
/// ends the program at once, as it does without this.
#[cfg(unix)]
pub fn remove_unfinished_when_interrupted() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    let wait = || {
        let signals = Signals::new([SIGINT, SIGTERM]);
        if let Some(signal) = signals
            .ok()
            .and_then(|mut signals| signals.forever().next())
        {
            // The program dies of the signal, so that the shell that started it knows.
            unfinished::remove_all_and_then(|| {
                let _ = emulate_default_handler(signal);
            });
        }
    };
    let thread = std::thread::Builder::new().name("signals".to_owned());
    let _ = thread.spawn(wait);
}

/// Makes an interruption remove unfinished files before it ends the program. If the system refuses, an interruption
/// ends the program at once, as it does without this.
#[cfg(not(unix))]
pub fn remove_unfinished_when_interrupted() {
    let end = || unfinished::remove_all_and_then(|| std::process::exit(INTERRUPTED));
    let _ = ctrlc::set_handler(end);
}

/// The exit code that shells show for a program that was interrupted.
#[cfg(not(unix))]
const INTERRUPTED: i32 = 130;
