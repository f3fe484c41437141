//! A Vulkan device of Mesa's RADV without hardware: its null winsys compiles pipelines and runs nothing.
//! The environment variable RADV_FORCE_FAMILY decides which GPU it poses as.

use std::ffi::{CStr, c_char};

use ash::{khr, vk};
use wavelerp::error::{Error, Result};
use wavelerp::gpu::Capabilities;

/// What to do where RADV is missing.
const INSTALL: &str = "install Mesa's Vulkan drivers (Debian: mesa-vulkan-drivers); `cargo xtask isa` does that and \
     sets the environment";

/// The device and what it says of itself. Dropping it gives everything back to the driver.
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
    instance: ash::Instance,
    /// Bytes of workgroup memory.
    workgroup_bytes: u32,
    /// Keeps the loader's library open; dropped last.
    _entry: ash::Entry,
}

impl NullDevice {
    /// Opens the device. The environment must name a family that this Mesa knows: it ends the process
    /// otherwise.
    ///
    /// # Errors
    /// No Vulkan loader, no RADV, or a device that lacks what this program needs.
    pub fn open() -> Result<Self> {
        // SAFETY: the loader is the system's own library; nothing of it is used after `_entry` is gone.
        let entry = unsafe { ash::Entry::load() }.map_err(|error| {
            Error::unavailable(format!("no Vulkan loader ({error}): {INSTALL}"))
        })?;
        let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: `info` and what it points to live until the call returns.
        let instance = unsafe { entry.create_instance(&info, None) }.map_err(|error| {
            Error::unavailable(format!("no Vulkan driver ({error}): {INSTALL}"))
        })?;
        match Self::open_in(&instance) {
            Ok(opened) => Ok(opened.into_device(entry, instance)),
            Err(error) => {
                // SAFETY: nothing made from the instance is left.
                unsafe { instance.destroy_instance(None) };
                Err(error)
            }
        }
    }

    fn open_in(instance: &ash::Instance) -> Result<Opened> {
        // SAFETY: the instance is alive.
        let physical = unsafe { instance.enumerate_physical_devices() }.map_err(|error| {
            Error::unavailable(format!("no Vulkan device ({error}): {INSTALL}"))
        })?;
        let found = physical
            .into_iter()
            .map(|device| Facts::of(instance, device));
        let facts = found
            .into_iter()
            .find(|facts| facts.driver_id == vk::DriverId::MESA_RADV)
            .ok_or_else(|| {
                Error::unavailable(format!(
                    "Vulkan is there, but not Mesa's driver RADV: {INSTALL}"
                ))
            })?;
        let device = create_device(instance, facts.physical)?;
        let executables = khr::pipeline_executable_properties::Device::new(instance, &device);
        Ok(Opened {
            device,
            executables,
            facts,
        })
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

impl Drop for NullDevice {
    fn drop(&mut self) {
        // SAFETY: everything made from the device is destroyed by whoever made it, before this.
        unsafe {
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}

struct Opened {
    device: ash::Device,
    executables: khr::pipeline_executable_properties::Device,
    facts: Facts,
}

impl Opened {
    fn into_device(self, entry: ash::Entry, instance: ash::Instance) -> NullDevice {
        let Facts {
            name,
            driver,
            waves,
            workgroup_bytes,
            ..
        } = self.facts;
        NullDevice {
            device: self.device,
            executables: self.executables,
            name,
            driver,
            waves,
            instance,
            workgroup_bytes,
            _entry: entry,
        }
    }
}

/// What a physical device says of itself.
struct Facts {
    physical: vk::PhysicalDevice,
    driver_id: vk::DriverId,
    name: String,
    driver: String,
    waves: Vec<u32>,
    workgroup_bytes: u32,
}

impl Facts {
    fn of(instance: &ash::Instance, physical: vk::PhysicalDevice) -> Self {
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut sizes = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default()
            .push_next(&mut driver)
            .push_next(&mut sizes);
        // SAFETY: the chain lives until the call returns.
        unsafe { instance.get_physical_device_properties2(physical, &mut properties) };
        let basic = properties.properties;
        let least = sizes.min_subgroup_size.max(1);
        let doublings = std::iter::successors(Some(least), |size| Some(size * 2));
        Self {
            physical,
            driver_id: driver.driver_id,
            name: text(&basic.device_name),
            driver: format!(
                "{} {}",
                text(&driver.driver_name),
                text(&driver.driver_info)
            ),
            waves: doublings
                .take_while(|size| *size <= sizes.max_subgroup_size)
                .collect(),
            workgroup_bytes: basic.limits.max_compute_shared_memory_size,
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
