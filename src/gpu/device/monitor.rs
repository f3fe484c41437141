//! Reads the clock and the temperature of a GPU while it works. For NVIDIA it asks NVML, a library that comes with the
//! driver and is loaded here at run time; for AMD on Linux it reads files of sysfs. It changes no setting of a GPU and
//! does not touch its wgpu device.

use std::path::{Path, PathBuf};

use nvml_wrapper::Nvml;
use nvml_wrapper::enum_wrappers::device::{Clock, TemperatureSensor};

use crate::gpu::Gpu;
use crate::model::Capabilities;

/// Where Linux has a folder for each PCI device.
const PCI_DEVICES: &str = "/sys/bus/pci/devices";

/// The clock and the temperature of a GPU at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// The clock that compute kernels run at, MHz: NVIDIA's SM clock, AMD's shader clock (sclk).
    pub clock: f64,
    /// The temperature of the chip in °C, where the driver reports it.
    pub temperature: Option<f64>,
}

/// Reads the clock and the temperature of a GPU, where its driver or the system reports them.
///
/// To make a monitor may load a library, which takes about 20 ms; the monitor keeps the library. To read asks the
/// driver or reads files, so do that beside timed work and not inside it. A reading may be a little old: the driver
/// of an H100 renews what NVML reports about every 100 ms, however often it is asked.
#[derive(Debug)]
pub struct Monitor {
    source: Option<Source>,
    about: String,
}

impl Monitor {
    /// A monitor of the adapter that `gpu` runs on. Where its clock cannot be read, [`Monitor::about`] says why.
    pub fn new(gpu: &Gpu) -> Self {
        Self::of(&gpu.caps, &gpu.pci)
    }

    fn of(caps: &Capabilities, pci: &str) -> Self {
        // A source counts only once it has been read: a driver may know a GPU and yet not report its clock.
        let source = Source::find(caps, pci).and_then(|source| source.read().map(|_| source));
        match source {
            Ok(source) => Self {
                about: source.name().to_owned(),
                source: Some(source),
            },
            Err(reason) => Self {
                about: format!("clock unknown: {reason}"),
                source: None,
            },
        }
    }

    /// The clock and the temperature now, or none where they are unknown.
    pub fn read(&self) -> Option<Reading> {
        self.source.as_ref()?.read().ok()
    }

    /// The source of the readings, `NVML` or `sysfs`, or the reason why there are none: `clock unknown: …`.
    pub fn about(&self) -> &str {
        &self.about
    }
}

/// The source of readings. Its errors are written so that they can follow "clock unknown: ".
#[derive(Debug)]
enum Source {
    /// The NVML library and the index of the GPU in it. A handle of the GPU would borrow the library.
    Nvml { library: Box<Nvml>, index: u32 },
    /// The folder of the PCI device in sysfs.
    Sysfs(PathBuf),
}

impl Source {
    fn find(caps: &Capabilities, pci: &str) -> Result<Self, String> {
        let name = &caps.name;
        if caps.is_cpu {
            return Err(format!("{name} runs on the CPU"));
        }
        // With DirectX only the adapter's name says the vendor, with older Vulkan drivers only the driver's name.
        if [name, &caps.driver]
            .iter()
            .any(|text| text.contains("NVIDIA"))
        {
            let library = Nvml::init().map_err(nvml_error)?;
            let index = choose(&listed(&library)?, name, pci)?;
            let library = Box::new(library);
            return Ok(Source::Nvml { library, index });
        }
        if !cfg!(target_os = "linux") {
            let system = std::env::consts::OS;
            return Err(format!("{system} does not report it for {name}"));
        }
        let address =
            address(pci).ok_or_else(|| format!("the driver of {name} reports no PCI bus id"))?;
        Ok(Source::Sysfs(
            Path::new(PCI_DEVICES).join(folder_name(address)),
        ))
    }

    fn name(&self) -> &'static str {
        match self {
            Source::Nvml { .. } => "NVML",
            Source::Sysfs(_) => "sysfs",
        }
    }

    fn read(&self) -> Result<Reading, String> {
        match self {
            Source::Nvml { library, index } => {
                let device = library.device_by_index(*index).map_err(nvml_error)?;
                // Compute kernels run at the SM clock. The graphics clock is mostly the same, but is
                // that of the units that draw.
                let clock = device.clock_info(Clock::SM).map_err(nvml_error)?;
                let temperature = device.temperature(TemperatureSensor::Gpu).ok();
                Ok(Reading {
                    clock: f64::from(clock),
                    temperature: temperature.map(f64::from),
                })
            }
            Source::Sysfs(device) => read_files(device),
        }
    }
}

fn nvml_error(error: nvml_wrapper::error::NvmlError) -> String {
    format!("NVML: {error}")
}

/// A GPU as NVML lists it.
struct Listed {
    index: u32,
    name: String,
    pci: String,
}

/// All GPUs that NVML lists and can reach.
fn listed(library: &Nvml) -> Result<Vec<Listed>, String> {
    let count = library.device_count().map_err(nvml_error)?;
    let of = |index| {
        let device = library.device_by_index(index).ok()?;
        Some(Listed {
            index,
            name: device.name().unwrap_or_default(),
            pci: device.pci_info().map(|pci| pci.bus_id).unwrap_or_default(),
        })
    };
    Ok((0..count).filter_map(of).collect())
}

/// The index of the GPU at the PCI bus id `pci`. Where that is not known, it is the index of the only GPU of this
/// name.
fn choose(listed: &[Listed], name: &str, pci: &str) -> Result<u32, String> {
    if let Some(wanted) = address(pci) {
        let found = listed.iter().find(|gpu| address(&gpu.pci) == Some(wanted));
        return match found {
            Some(gpu) => Ok(gpu.index),
            None => Err(format!("NVML knows no GPU at PCI bus id {pci}")),
        };
    }
    let mut same = listed.iter().filter(|gpu| gpu.name == name);
    match (same.next(), same.next()) {
        (Some(gpu), None) => Ok(gpu.index),
        (None, _) => Err(format!("NVML knows no GPU named {name}")),
        _ => Err(format!("NVML knows several GPUs named {name}")),
    }
}

/// The domain, bus, device and function of a PCI bus id. NVML writes the domain with 8 digits, wgpu and Linux write
/// it with 4.
fn address(id: &str) -> Option<[u32; 4]> {
    let (start, function) = id.split_once('.')?;
    let parts: Vec<&str> = start.split(':').chain([function]).collect();
    let numbers = parts.iter().map(|part| u32::from_str_radix(part, 16).ok());
    numbers.collect::<Option<Vec<u32>>>()?.try_into().ok()
}

/// The name of a device's folder in sysfs.
fn folder_name([domain, bus, device, function]: [u32; 4]) -> String {
    format!("{domain:04x}:{bus:02x}:{device:02x}.{function:x}")
}

/// Reads the files that the AMD driver has in the folder of a device.
fn read_files(device: &Path) -> Result<Reading, String> {
    let entries = std::fs::read_dir(device.join("hwmon"));
    let sensors: Vec<PathBuf> = entries
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    let number = |file: &str, unit: f64| -> Option<f64> {
        let text = |folder: &PathBuf| std::fs::read_to_string(folder.join(file)).ok();
        let mut texts = sensors.iter().filter_map(text);
        let whole = texts.find_map(|text| text.trim().parse::<i64>().ok())?;
        Some(whole as f64 * unit)
    };
    let level = || current_level(&std::fs::read_to_string(device.join("pp_dpm_sclk")).ok()?);
    // Hertz and millidegrees.
    match number("freq1_input", 1e-6).or_else(level) {
        Some(clock) => Ok(Reading {
            clock,
            temperature: number("temp1_input", 1e-3),
        }),
        None => Err(format!(
            "neither hwmon/hwmon*/freq1_input nor pp_dpm_sclk can be read in {}",
            device.display()
        )),
    }
}

/// The MHz of the line of `pp_dpm_sclk` that ends with a star, such as `1: 1500Mhz *`.
fn current_level(text: &str) -> Option<f64> {
    let mut lines = text.lines().map(str::trim_end);
    let (_, level) = lines.find_map(|line| line.strip_suffix('*')?.split_once(':'))?;
    let digits = level.trim().strip_suffix("Mhz")?;
    digits.trim().parse::<u32>().ok().map(f64::from)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    /// A device's folder with these files.
    fn device(files: &[(&str, &str)]) -> tempfile::TempDir {
        let home = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = home.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        home
    }

    fn read(files: &[(&str, &str)]) -> Result<Reading, String> {
        read_files(device(files).path())
    }

    const LEVELS: &str = "0: 500Mhz\n1: 1500Mhz *\n2: 2575Mhz\n";

    #[test]
    fn sysfs_tells_hertz_and_millidegrees() {
        let reading = read(&[
            ("hwmon/hwmon3/freq1_input", "2304000000\n"),
            ("hwmon/hwmon3/temp1_input", "45500\n"),
            ("pp_dpm_sclk", LEVELS),
        ]);
        let expected = Reading {
            clock: 2304.0,
            temperature: Some(45.5),
        };
        assert_eq!(reading, Ok(expected));
    }

    #[test]
    fn the_starred_level_stands_in_for_a_missing_or_broken_frequency() {
        let expected = Reading {
            clock: 1500.0,
            temperature: None,
        };
        assert_eq!(read(&[("pp_dpm_sclk", LEVELS)]), Ok(expected));
        let broken = read(&[
            ("hwmon/hwmon3/freq1_input", "fast\n"),
            ("hwmon/hwmon3/temp1_input", ""),
            ("pp_dpm_sclk", LEVELS),
        ]);
        assert_eq!(broken, Ok(expected));
    }

    #[test]
    fn missing_and_broken_files_are_told_by_name() {
        let broken = [
            "",
            "*",
            "1: *",
            "1: fastMhz *",
            "0: 500Mhz\n",
            "1: -5Mhz *",
            "1500 *",
        ];
        for text in broken {
            let reason = read(&[("pp_dpm_sclk", text)]).unwrap_err();
            assert!(reason.contains("pp_dpm_sclk"), "{text:?}: {reason}");
        }
        let temperature_alone = read(&[("hwmon/hwmon0/temp1_input", "45000")]);
        assert!(temperature_alone.is_err(), "{temperature_alone:?}");
        assert!(read_files(Path::new("no such folder")).is_err());
    }

    #[test]
    fn a_bus_id_is_the_same_however_it_is_written() {
        let expected = Some([0, 0x17, 0, 0]);
        for id in ["0000:17:00.0", "00000000:17:00.0", "0:17:0.0"] {
            assert_eq!(address(id), expected, "{id}");
        }
        assert_eq!(address("00000000:AF:1F.1"), address("0000:af:1f.1"));
        assert_ne!(address("0001:17:00.0"), expected);
        for id in ["", "17:00.0", "0000:17:00", "0000:17:00.0:1", "a:b:c.x"] {
            assert_eq!(address(id), None, "{id}");
        }
        assert_eq!(
            address("00000000:AF:1F.1").map(folder_name).as_deref(),
            Some("0000:af:1f.1")
        );
    }

    #[test]
    fn nvml_s_gpu_is_found_by_bus_id_and_else_by_a_name_that_only_one_has() {
        let list = [
            (0, "A", "00000000:17:00.0"),
            (1, "A", "00000000:AF:00.0"),
            (3, "B", "00000000:C1:00.0"),
        ]
        .map(|(index, name, pci)| Listed {
            index,
            name: name.to_owned(),
            pci: pci.to_owned(),
        });
        assert_eq!(choose(&list, "A", "0000:af:00.0"), Ok(1));
        assert_eq!(choose(&list, "B", ""), Ok(3));
        // One that is known to be elsewhere is not this one, whatever its name.
        for (name, pci) in [("A", ""), ("C", ""), ("B", "0000:c2:00.0")] {
            assert!(choose(&list, name, pci).is_err(), "{name} {pci}");
        }
    }

    #[test]
    fn a_gpu_whose_clock_cannot_be_read_has_no_readings_and_a_reason() {
        let cpu = Capabilities {
            name: "llvmpipe".to_owned(),
            is_cpu: true,
            ..Capabilities::default()
        };
        let monitor = Monitor::of(&cpu, "0000:17:00.0");
        assert_eq!(monitor.read(), None);
        assert_eq!(monitor.about(), "clock unknown: llvmpipe runs on the CPU");
        let nameless = Capabilities {
            name: "A GPU".to_owned(),
            ..Capabilities::default()
        };
        let monitor = Monitor::of(&nameless, "");
        assert_eq!(monitor.read(), None);
        assert!(
            monitor.about().starts_with("clock unknown: "),
            "{}",
            monitor.about()
        );
        // No such machine: here the library is missing, or knows no such GPU.
        let nvidia = Capabilities {
            name: "NVIDIA of another machine".to_owned(),
            ..Capabilities::default()
        };
        let monitor = Monitor::of(&nvidia, "");
        assert_eq!(monitor.read(), None);
        assert!(monitor.about().contains("NVML"), "{}", monitor.about());
    }
}
