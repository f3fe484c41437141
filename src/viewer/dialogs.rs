//! The system's file dialogs.

use std::path::PathBuf;
use std::pin::Pin;

use rfd::{AsyncFileDialog, FileHandle};
use winit::window::Window;

use crate::error::Result;

use super::action::Pick;
use super::picking::Choice;
use super::state::State;

/// Prepares the dialog that asks for `pick`, in front of `window`. What it returns shows the dialog and waits for its
/// end, which takes a thread: it returns the path that was chosen, or nothing where the user has cancelled.
///
/// Its error says that this system has no file dialog. The dialog itself would end as if it were cancelled.
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
    // macOS begins a dialog here, and must do so on the window's thread. Elsewhere it begins when it is waited for.
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

/// Linux and its like have file dialogs where the desktop brings them: a portal, or else the program zenity.
#[cfg(all(unix, not(target_os = "macos")))]
mod support {
    use std::process::{Command, Stdio};

    use super::Pick;
    use crate::error::{Error, Result};

    /// Refuses where no dialog can open.
    pub fn check(pick: Pick) -> Result<()> {
        if has_portal() || has_zenity() {
            return Ok(());
        }
        Err(Error::unavailable(format!(
            "no file dialog can open: this desktop has neither a file portal (xdg-desktop-portal) nor zenity; {}",
            pick.instead()
        )))
    }

    /// Whether a portal answers that has file dialogs; one without a back end for them has no such property.
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
