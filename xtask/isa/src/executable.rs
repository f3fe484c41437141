//! What the driver made of a pipeline: its numbers, and its own forms of the code.

use std::ffi::c_void;

use ash::vk;
use wavelerp::error::{Error, Result};

use crate::device::{NullDevice, text};

/// One compiled stage.
#[derive(Clone)]
pub struct Executable {
    /// The name that the driver gives the stage: `Compute Shader`.
    pub name: String,
    /// Lanes of its waves.
    pub wave: u32,
    /// The driver's numbers, in its order.
    pub statistics: Vec<(String, u64)>,
    /// The driver's forms of the code: name and text, the machine code among them.
    pub representations: Vec<(String, String)>,
}

impl Executable {
    /// The number that the driver calls `name`.
    pub fn statistic(&self, name: &str) -> Option<u64> {
        let found = self.statistics.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| *value)
    }

    /// The disassembled machine code.
    pub fn assembly(&self) -> Result<&str> {
        let is_assembly = |(name, _): &&(String, String)| name.starts_with("Assembly");
        let found = self.representations.iter().find(is_assembly);
        found.map(|(_, text)| text.as_str()).ok_or_else(|| {
            let names = self.representations.iter().map(|(name, _)| name.as_str());
            let names: Vec<&str> = names.collect();
            Error::failed(format!(
                "{}: the driver gave no machine code, only {}; it needs LLVM's disassembler",
                self.name,
                names.join(", ")
            ))
        })
    }
}

/// Everything that the driver tells of a pipeline, stage by stage.
pub fn all_of(device: &NullDevice, pipeline: vk::Pipeline) -> Result<Vec<Executable>> {
    let info = vk::PipelineInfoKHR::default().pipeline(pipeline);
    // SAFETY: the pipeline is alive and was made on this device.
    let found = unsafe { device.executables.get_pipeline_executable_properties(&info) };
    let found = found.map_err(|error| untold("executables", error))?;
    let executables = (0..).zip(&found).map(|(index, properties)| {
        let info = vk::PipelineExecutableInfoKHR::default()
            .pipeline(pipeline)
            .executable_index(index);
        Ok(Executable {
            name: text(&properties.name),
            wave: properties.subgroup_size,
            statistics: statistics(device, &info)?,
            representations: representations(device, &info)?,
        })
    });
    executables.collect()
}

fn statistics(
    device: &NullDevice,
    info: &vk::PipelineExecutableInfoKHR,
) -> Result<Vec<(String, u64)>> {
    // SAFETY: the pipeline is alive and was made with CAPTURE_STATISTICS.
    let found = unsafe { device.executables.get_pipeline_executable_statistics(info) };
    let found = found.map_err(|error| untold("statistics", error))?;
    let numbers = found.iter().map(|one| (text(&one.name), number(one)));
    Ok(numbers.collect())
}

fn number(statistic: &vk::PipelineExecutableStatisticKHR) -> u64 {
    use vk::PipelineExecutableStatisticFormatKHR as Format;
    let value = statistic.value;
    // SAFETY: the format says which member the driver has set.
    unsafe {
        match statistic.format {
            Format::BOOL32 => u64::from(value.b32),
            Format::INT64 => u64::try_from(value.i64).unwrap_or_default(),
            Format::FLOAT64 => value.f64 as u64,
            _ => value.u64,
        }
    }
}

/// All forms of the code. The driver is asked twice: first for the number of bytes of each text, then for the
/// texts.
fn representations(
    device: &NullDevice,
    info: &vk::PipelineExecutableInfoKHR,
) -> Result<Vec<(String, String)>> {
    // SAFETY: the pipeline is alive and was made with CAPTURE_INTERNAL_REPRESENTATIONS.
    let sized = unsafe {
        device
            .executables
            .get_pipeline_executable_internal_representations(info)
    };
    let mut forms = sized.map_err(|error| untold("representations", error))?;
    let mut texts: Vec<Vec<u8>> = forms.iter().map(|form| vec![0; form.data_size]).collect();
    for (form, text) in forms.iter_mut().zip(&mut texts) {
        form.p_data = text.as_mut_ptr().cast::<c_void>();
    }
    let mut count = u32::try_from(forms.len()).unwrap_or(u32::MAX);
    let functions = device.executables.fp();
    // SAFETY: as above; every form points to as many bytes as it says, in `texts`, which outlives the call.
    let result = unsafe {
        (functions.get_pipeline_executable_internal_representations_khr)(
            device.device.handle(),
            info,
            &mut count,
            forms.as_mut_ptr(),
        )
    };
    let result = result.result();
    result.map_err(|error| untold("representations", error))?;
    let names = forms.iter().map(|form| text(&form.name));
    // A text ends with a NUL.
    let plain = |bytes: &Vec<u8>| {
        String::from_utf8_lossy(bytes)
            .trim_end_matches('\0')
            .to_owned()
    };
    Ok(names.zip(texts.iter().map(plain)).collect())
}

fn untold(what: &str, error: vk::Result) -> Error {
    Error::failed(format!("RADV does not tell a pipeline's {what}: {error}"))
}
