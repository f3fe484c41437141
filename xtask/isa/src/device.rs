//! A Vulkan device of Mesa's RADV without hardware: its null winsys compiles pipelines and runs nothing.
//! The environment variable RADV_FORCE_FAMILY decides which GPU it poses as.

use std::ffi::{CStr, c_char};
use std::fmt::Display;

use ash::{khr, vk};
use wavelerp::error::{Error, Result};
use wavelerp::model::Capabilities;

/// What to do where RADV is missing.
const INSTALL: &str = "install Mesa's Vulkan drivers (Debian: mesa-vulkan-drivers); `cargo xtask isa` does that and \
     sets the environment";

/// The device and what it says of itself. What is made on it stays until the process ends: a process compiles for one
/// family and is done.
pub struct NullDevice {
    /// Made by [`ash`]; the functions of pipelines.
    pub device: ash::Device,
    /// The functions that return what the driver made of a pipeline.
    pub executables: khr::pipeline_executable_properties::Device,
    /// The device's name: the family, such as `NAVI21`, within the driver's own words.
    pub name: String,
    /// Driver name and version: `radv Mesa 22.3.6`.
    pub driver: String,
    /// Wave sizes that a compute shader can be asked to run at, smallest first.
    pub waves: Vec<u32>,
    /// Bytes of workgroup memory.
    workgroup_bytes: u32,
}

impl NullDevice {
    /// Opens the device. The environment must name a family that this Mesa knows: it ends the process
    /// otherwise.
    pub fn open() -> Result<Self> {
        let missing = |what: &str, error: &dyn Display| {
            Error::unavailable(format!("no Vulkan {what} ({error}): {INSTALL}"))
        };
        // SAFETY: the loader is the system's own library, and it stays open.
        let entry = unsafe { ash::Entry::load() }.map_err(|error| missing("loader", &error))?;
        let entry = std::mem::ManuallyDrop::new(entry);
        let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: `info` and what it points to live until the call returns.
        let instance = unsafe { entry.create_instance(&info, None) }
            .map_err(|error| missing("driver", &error))?;
        // SAFETY: the instance is alive.
        let physical = unsafe { instance.enumerate_physical_devices() }
            .map_err(|error| missing("device", &error))?;
        for physical in physical {
            let mut driver = vk::PhysicalDeviceDriverProperties::default();
            let mut sizes = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
            let mut properties = vk::PhysicalDeviceProperties2::default()
                .push_next(&mut driver)
                .push_next(&mut sizes);
            // SAFETY: the chain lives until the call returns.
            unsafe { instance.get_physical_device_properties2(physical, &mut properties) };
            let basic = properties.properties;
            if driver.driver_id != vk::DriverId::MESA_RADV {
                continue;
            }
            let device = create_device(&instance, physical)?;
            let (driver_name, version) = (text(&driver.driver_name), text(&driver.driver_info));
            let least = sizes.min_subgroup_size.max(1);
            let doublings = std::iter::successors(Some(least), |size| Some(size * 2));
            return Ok(Self {
                executables: khr::pipeline_executable_properties::Device::new(&instance, &device),
                device,
                name: text(&basic.device_name),
                driver: format!("{driver_name} {version}"),
                waves: doublings
                    .take_while(|size| *size <= sizes.max_subgroup_size)
                    .collect(),
                workgroup_bytes: basic.limits.max_compute_shared_memory_size,
            });
        }
        Err(Error::unavailable(format!(
            "Vulkan is there, but not Mesa's driver RADV: {INSTALL}"
        )))
    }

    /// The capabilities that methods are specialised for. `native_spirv` says whether native opcodes are used.
    pub fn capabilities(&self, native_spirv: bool) -> Capabilities {
        let size = |at: Option<&u32>| at.copied().unwrap_or(1);
        Capabilities {
            name: self.name.clone(),
            driver: self.driver.clone(),
            backend: "vulkan".to_owned(),
            kind: "discrete".to_owned(),
            wave_min: size(self.waves.first()),
            wave_max: size(self.waves.last()),
            waves: true,
            native_spirv,
            blends_f32: true,
            max_workgroup_bytes: self.workgroup_bytes,
            ..Capabilities::default()
        }
    }
}

fn create_device(instance: &ash::Instance, physical: vk::PhysicalDevice) -> Result<ash::Device> {
    let priorities = [1.0];
    let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&priorities)];
    let extensions = [khr::pipeline_executable_properties::NAME.as_ptr()];
    let mut executables = vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default()
        .pipeline_executable_info(true);
    let mut vulkan13 = vk::PhysicalDeviceVulkan13Features::default()
        .subgroup_size_control(true)
        .compute_full_subgroups(true)
        .dynamic_rendering(true);
    let info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_extension_names(&extensions)
        .push_next(&mut executables)
        .push_next(&mut vulkan13);
    // SAFETY: `physical` is of this instance; the chain lives until the call returns.
    unsafe { instance.create_device(physical, &info, None) }.map_err(|error| {
        Error::unavailable(format!(
            "this RADV makes no device that tells about its pipelines ({error}): Mesa 22.3 does"
        ))
    })
}

/// The text of a fixed-size field of a Vulkan struct, up to its NUL.
pub fn text(field: &[c_char]) -> String {
    let bytes: Vec<u8> = field.iter().map(|byte| *byte as u8).collect();
    CStr::from_bytes_until_nul(&bytes)
        .map(|text| text.to_string_lossy().into_owned())
        .unwrap_or_default()
}
