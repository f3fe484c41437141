//! The work of one process: it compiles everything for one family by one compiler, and writes the results.

use std::path::Path;

use wavelerp::error::{Error, Result};

use crate::device::NullDevice;
use crate::family::Family;
use crate::kernels::{Group, Kernel};
use crate::listing::Listing;
use crate::pipeline::compile;
use crate::report::Row;
use crate::{Compiler, kernels, report};

/// Compiles all kernels whose name contains `only` and writes machine code, numbers and tables into `folder`.
pub fn all(family: &Family, compiler: Compiler, only: &str, folder: &Path) -> Result<()> {
    let device = open(compiler)?;
    let mut rows = Vec::new();
    let kernels = kernels::all(&device.capabilities(true));
    for kernel in kernels.iter().filter(|kernel| kernel.name.contains(only)) {
        let compiled = rows_of(&device, kernel).map_err(|error| error.context(&kernel.name))?;
        rows.extend(compiled);
    }
    if rows.is_empty() {
        return Err(Error::usage(format!(
            "no kernel's name contains \"{only}\"; statistics.csv of a whole run has all names"
        )));
    }
    std::fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| unwritten(&path, &error))
    };
    for row in &rows {
        let name = row.name.replace(' ', "_");
        let name = format!("{name}_wave{}.s", row.executable.wave);
        write(&name, row.executable.assembly()?)?;
    }
    let (name, what) = (family.name, family.what);
    let title = format!("{name} ({what}), {}, {}", compiler.title(), device.driver);
    write("statistics.csv", &report::csv(&rows))?;
    write("cores.md", &report::cores(&rows, &title))?;
    write("tables.md", &tables(&rows, &title))
}

/// Opens the device and makes sure that it compiles with `compiler`.
pub fn open(compiler: Compiler) -> Result<NullDevice> {
    let device = NullDevice::open()?;
    if compiler == Compiler::Llvm && !device.name.contains("LLVM") {
        Err(Error::unavailable(
            "this RADV is built without the LLVM compiler: leave --compiler llvm out",
        ))
    } else {
        Ok(device)
    }
}

/// Compiles every stage of a kernel: for compute at every wave size, the largest first; for what is drawn at the
/// wave size that the driver chooses.
fn rows_of(device: &NullDevice, kernel: &Kernel) -> Result<Vec<Row>> {
    let code = kernel.code()?;
    let own = compile(device, &code, None, kernel.target)?;
    let default = own.first().map(|executable| executable.wave);
    // A driver with only one wave size does not let a program ask for it.
    let executables = if kernel.target.is_some() || device.waves.len() == 1 {
        own
    } else {
        let sizes = device.waves.iter().rev();
        let compiled = sizes.map(|size| compile(device, &code, Some(*size), None));
        compiled.collect::<Result<Vec<_>>>()?.concat()
    };
    let rows = executables.into_iter().map(|executable| {
        let stage = executable.name.to_lowercase();
        let stage = stage.trim_end_matches(" shader");
        Ok(Row {
            name: match kernel.target {
                Some(_) => format!("{} {stage}", kernel.name),
                None => kernel.name.clone(),
            },
            group: kernel.group,
            is_default: default == Some(executable.wave),
            listing: Listing::of(executable.assembly()?),
            executable,
        })
    });
    rows.collect()
}

fn tables(rows: &[Row], title: &str) -> String {
    let mut text = format!("### {title}\n\n{}", report::table(rows, Group::Methods));
    for group in Group::CORES {
        text += &format!("\n{}:\n\n{}", group.title(), report::table(rows, group));
    }
    text
}

fn unwritten(path: &Path, error: &std::io::Error) -> Error {
    Error::failed(format!("cannot write {}: {error}", path.display()))
}
