//! The start of a page: the fragment of its address sets what the flags of `run` set.

use crate::error::Result;
use crate::viewer::link::flags;
use crate::viewer::start::Start;

/// The window that a link opens; `start_with` makes it from flags. Values that are wrong are left out, each with a notice.
pub(super) fn start(
    fragment: &str,
    start_with: impl Fn(&[String]) -> Result<Start>,
) -> Result<Start> {
    let (mut good, mut notices) = (Vec::new(), Vec::new());
    for flag in flags(fragment) {
        good.push(flag);
        if let Err(error) = start_with(&good) {
            notices.push(format!("the link: {error}"));
            good.pop();
        }
    }
    let mut start = start_with(&good)?;
    start.notices.extend(notices);
    Ok(start)
}
