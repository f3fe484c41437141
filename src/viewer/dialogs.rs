//! The system's file dialogs.

use std::path::PathBuf;
use std::pin::Pin;

use rfd::{AsyncFileDialog, FileHandle};
use winit::window::Window;

use crate::error::Result;

use super::action::Pick;
use super::picking::Choice;
use super::state::State;

/// Prepares the dialog for `pick`, in front of `window`. The returned closure shows the dialog and blocks until it is
/// closed, so it needs a thread of its own; it returns the chosen path, or `None` if cancelled. An error if this system
/// has no file dialog; otherwise the missing dialog would look like a cancelled one.
pub fn dialog(
    pick: Pick,
    state: &State,
    window: &Window,
) -> impl FnOnce() -> Result<Option<PathBuf>> + Send + 'static {
    let asked = pick.dialog(state);
    let mut dialog = AsyncFileDialog::new()
        .set_title(asked.title)
        .set_parent(window);
    if let Some((what, endings)) = asked.filter {
        dialog = dialog.add_filter(what, &endings);
    }
    if let Some(folder) = asked.folder {
        dialog = dialog.set_directory(folder);
    }
    if asked.choice == Choice::NewFile {
        dialog = dialog.set_file_name(asked.name);
    }
    // macOS creates the dialog here, which must happen on the window's thread. Elsewhere it opens when awaited.
    let chosen: Pin<Box<dyn Future<Output = Option<FileHandle>> + Send>> = match asked.choice {
        Choice::File => Box::pin(dialog.pick_file()),
        Choice::Folder => Box::pin(dialog.pick_folder()),
        Choice::NewFile => Box::pin(dialog.save_file()),
    };
    move || {
        support::check(pick)?;
        let chosen = pollster::block_on(chosen);
        Ok(chosen.map(|file| pick.completed(file.path().to_owned())))
    }
}

/// On Linux and similar systems, file dialogs are provided by the desktop, through a portal or the program zenity.
#[cfg(all(unix, not(target_os = "macos")))]
mod support {
    use std::process::{Command, Stdio};

    use super::Pick;
    use crate::error::{Error, Result};

    /// An error if no dialog can be opened.
    pub fn check(pick: Pick) -> Result<()> {
        if has_portal() || has_zenity() {
            return Ok(());
        }
        Err(Error::unavailable(format!(
            "no file dialog can open: this desktop has neither a file portal (xdg-desktop-portal) nor zenity; {}",
            pick.instead()
        )))
    }

    /// True if a portal with file dialogs responds; a portal without a back end for them lacks this property.
    fn has_portal() -> bool {
        let version = async {
            let bus = zbus::Connection::session().await?;
            let question = &("org.freedesktop.portal.FileChooser", "version");
            bus.call_method(
                Some("org.freedesktop.portal.Desktop"),
                "/org/freedesktop/portal/desktop",
                Some("org.freedesktop.DBus.Properties"),
                "Get",
                question,
            )
            .await
        };
        pollster::block_on(version).is_ok()
    }

    fn has_zenity() -> bool {
        let mut command = Command::new("zenity");
        command.arg("--version").stdin(Stdio::null());
        let output = command.output();
        output.is_ok_and(|output| output.status.success())
    }
}

/// Windows and macOS have file dialogs.
#[cfg(not(all(unix, not(target_os = "macos"))))]
mod support {
    use super::Pick;
    use crate::error::Result;

    pub fn check(_: Pick) -> Result<()> {
        Ok(())
    }
}
