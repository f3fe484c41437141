//! The system's file dialogs.

use std::path::PathBuf;
use std::pin::Pin;

use rfd::{AsyncFileDialog, FileHandle};
use winit::window::Window;

use crate::error::Result;

use crate::viewer::action::Pick;
use crate::viewer::picking::Choice;
use crate::viewer::state::State;

/// Prepares the dialog for `pick`, in front of `window`. The returned closure shows the dialog until it closes,
/// and returns the chosen path, or `None` if cancelled. Fails if the system has no file dialog.
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
    // macOS must create the dialog on the window's thread, so it does so here. Elsewhere the dialog opens when awaited.
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

/// On Linux, the desktop provides file dialogs through a portal or the program zenity.
#[cfg(all(unix, not(target_os = "macos")))]
mod support {
    use std::process::{Command, Stdio};

    use crate::error::{Error, Result};
    use crate::viewer::action::Pick;

    pub fn check(pick: Pick) -> Result<()> {
        if has_portal() || has_zenity() {
            return Ok(());
        }
        Err(Error::unavailable(format!(
            "no file dialog can open: this desktop has neither a file portal (xdg-desktop-portal) nor zenity; {}",
            pick.instead()
        )))
    }

    /// Reads a property that a portal without a back end for file dialogs lacks.
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

#[cfg(not(all(unix, not(target_os = "macos"))))]
mod support {
    use crate::error::Result;
    use crate::viewer::action::Pick;

    pub fn check(_: Pick) -> Result<()> {
        Ok(())
    }
}
