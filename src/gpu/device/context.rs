//! Chooses an adapter, opens its device, and reports its capabilities.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use web_time::{Duration, Instant};

use super::renderdoc;
use crate::error::{Error, Result, one_line};
use crate::model::Capabilities;
use crate::model::adapter::is_llvmpipe;
use crate::model::clock::{Clock, ClockChoice};
use crate::workers::{lock, waited};

/// llvmpipe silently stops a shader after this many loop iterations in total: 0x10000 minus one.
const LLVMPIPE_LOOP_TURNS: u32 = 65_535;

#[derive(Clone, Debug, Default)]
pub struct AdapterRequest {
    /// Part of the adapter's name (in any case), or the adapter's index in `wavelerp list`.
    pub adapter: Option<String>,
    /// `vulkan`, `metal` or `dx12`. `None` for any.
    pub backend: Option<String>,
    pub clock: ClockChoice,
}

/// Optional features, each with what is lost without it.
const OPTIONAL: [(wgpu::Features, &str); 5] = {
    use wgpu::Features as F;
    [
        (F::SUBGROUP, "wave methods are unavailable"),
        (
            F::PASSTHROUGH_SHADERS,
            "no native find-MSB and broadcast opcodes",
        ),
        (
            F::SHADER_F16,
            "the wave library's f16 functions are not checked",
        ),
        (F::TIMESTAMP_QUERY, "no GPU times"),
        (F::FLOAT32_BLENDABLE, "method fixed-function is unavailable"),
    ]
};

/// A device with its queue and capabilities. It stores errors that wgpu reports outside a call (validation, out of
/// memory, device loss) until [`Gpu::check`] returns them. A clone is the same device.
#[derive(Clone)]
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub caps: Capabilities,
    /// True to pass names, groups and shader text to the driver for external tools: in debug builds, under RenderDoc,
    /// and with `WGPU_DEBUG=1`.
    pub is_named: bool,
    /// True if shaders check indices, loops and divisions at run time: in debug builds.
    pub checks_shaders: bool,
    pub(in crate::gpu) clock_choice: ClockChoice,
    /// Set by the clock test.
    pub(in crate::gpu) clock: Arc<OnceLock<Clock>>,
    /// Work of the last clock test.
    worked: Arc<Mutex<Option<Worked>>>,
    constant_texture: Arc<OnceLock<wgpu::TextureView>>,
    adapter: wgpu::Adapter,
    faults: Arc<Faults>,
    /// The driver's message when the device was lost.
    lost: Arc<OnceLock<String>>,
}

/// Errors that wgpu has reported outside a call.
#[derive(Default)]
struct Faults {
    /// Faults that [`Gpu::check`] has not returned yet.
    messages: Mutex<Vec<String>>,
    /// Number of faults so far, including those already returned.
    count: AtomicU64,
}

impl Faults {
    fn add(&self, error: &wgpu::Error) {
        self.count.fetch_add(1, Ordering::AcqRel);
        lock(&self.messages).push(message_of(error));
    }
}

/// A period of work that kept the GPU busy.
#[derive(Clone, Copy, Debug)]
pub struct Worked {
    pub time: Duration,
    pub until: Instant,
}

fn instance_flags() -> wgpu::InstanceFlags {
    let mut flags = wgpu::InstanceFlags::from_build_config().with_env();
    // Validation of indirect arguments costs a dispatch each, and our arguments come from our own kernels.
    flags.remove(wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL);
    if renderdoc::is_attached() {
        flags.insert(wgpu::InstanceFlags::DEBUG);
        flags.remove(wgpu::InstanceFlags::DISCARD_HAL_LABELS);
    }
    flags
}

/// An instance with every back end. If creating the instance loads RenderDoc, creates it again with RenderDoc's flags.
fn instance() -> wgpu::Instance {
    let make = |flags| {
        let mut desc = wgpu::InstanceDescriptor::new_without_display_handle();
        desc.backends = wgpu::Backends::VULKAN
            | wgpu::Backends::METAL
            | wgpu::Backends::DX12
            | wgpu::Backends::BROWSER_WEBGPU;
        desc.flags = flags;
        wgpu::Instance::new(desc)
    };
    let flags = instance_flags();
    let instance = make(flags);
    if instance_flags() == flags {
        return instance;
    }
    // RenderDoc records the first instance that it finds, so only one may exist.
    drop(instance);
    make(instance_flags())
}

/// All adapters of the supported back ends, in the order of `--adapter INDEX`.
pub fn adapters() -> Vec<wgpu::Adapter> {
    waited(instance().enumerate_adapters(wgpu::Backends::all())).unwrap_or_default()
}

pub fn describe(adapter: &wgpu::Adapter) -> Capabilities {
    #[cfg_attr(
        not(target_arch = "wasm32"),
        expect(unused_mut, reason = "browsers add")
    )]
    let (mut info, mut features) = (adapter.get_info(), adapter.features());
    #[cfg(target_arch = "wasm32")]
    features.insert(crate::browser::complete(&mut info));
    let limits = adapter.limits();
    let waves = features.contains(wgpu::Features::SUBGROUP) && info.subgroup_min_size > 0;
    let is_cpu = info.device_type == wgpu::DeviceType::Cpu;
    let is_llvmpipe = is_llvmpipe(&info.name);
    let draws_with_depth = !is_llvmpipe || info.subgroup_max_size <= 8;
    let wave = |size: u32| if waves { size } else { 1 };
    let (found, missing): (Vec<_>, Vec<_>) = OPTIONAL
        .into_iter()
        .partition(|entry| features.contains(entry.0));
    let name = |of: wgpu::Features| of.iter_names().map(|(name, _)| name).collect::<String>();
    Capabilities {
        driver: format!("{} {}", info.driver, info.driver_info)
            .trim()
            .to_owned(),
        backend: info.backend.to_string(),
        kind: match info.device_type {
            wgpu::DeviceType::DiscreteGpu => "discrete",
            wgpu::DeviceType::IntegratedGpu => "integrated",
            wgpu::DeviceType::VirtualGpu => "virtual",
            wgpu::DeviceType::Cpu => "cpu",
            wgpu::DeviceType::Other => "other",
        }
        .to_owned(),
        name: info.name,
        wave_min: wave(info.subgroup_min_size),
        wave_max: wave(info.subgroup_max_size),
        waves,
        native_spirv: waves
            && info.backend == wgpu::Backend::Vulkan
            && features.contains(wgpu::Features::PASSTHROUGH_SHADERS),
        half_floats: features.contains(wgpu::Features::SHADER_F16),
        blends_f32: features.contains(wgpu::Features::FLOAT32_BLENDABLE),
        timestamps: features.contains(wgpu::Features::TIMESTAMP_QUERY),
        is_cpu,
        draws_with_depth,
        loop_turns: is_llvmpipe.then_some(LLVMPIPE_LOOP_TURNS),
        max_binding_bytes: limits
            .max_storage_buffer_binding_size
            .min(limits.max_buffer_size),
        max_texture_edge: limits.max_texture_dimension_2d,
        max_texture_layers: limits.max_texture_array_layers,
        max_workgroup_bytes: limits.max_compute_workgroup_storage_size,
        features_found: found.iter().map(|entry| name(entry.0)).collect(),
        features_missing: missing
            .iter()
            .map(|(of, lost)| format!("{}: {lost}", name(*of)))
            .collect(),
    }
}

/// The capabilities of the adapter that [`Gpu::open`] would open.
pub fn capabilities(request: &AdapterRequest) -> Result<Capabilities> {
    Ok(describe(&choose(adapters(), request)?))
}

/// Lower is better.
fn rank(info: &wgpu::AdapterInfo) -> u32 {
    match info.device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    }
}

fn choose(all: Vec<wgpu::Adapter>, request: &AdapterRequest) -> Result<wgpu::Adapter> {
    if all.is_empty() {
        return Err(Error::unavailable(
            "found no Vulkan, Metal or DirectX 12 adapter; on Debian or Ubuntu, install the Vulkan \
            loader and a driver, for instance: apt-get install libvulkan1 mesa-vulkan-drivers",
        ));
    }
    let names: Vec<String> = all
        .iter()
        .enumerate()
        .map(|(index, adapter)| format!("{index}: {}", adapter.get_info().name))
        .collect();
    let wanted = request.adapter.as_deref().map(str::to_lowercase);
    // A number that is no index may be part of a name: 3090.
    let index = wanted
        .as_deref()
        .and_then(|text| text.parse::<usize>().ok())
        .filter(|index| *index < all.len());
    let matches = |position: usize, info: &wgpu::AdapterInfo| {
        let backend = request
            .backend
            .as_deref()
            .is_none_or(|backend| info.backend.to_str() == backend.to_lowercase());
        let named = match (&wanted, index) {
            (_, Some(index)) => position == index,
            (Some(text), None) => info.name.to_lowercase().contains(text),
            (None, None) => true,
        };
        backend && named
    };
    all.into_iter()
        .enumerate()
        .filter(|(position, adapter)| matches(*position, &adapter.get_info()))
        .min_by_key(|(_, adapter)| rank(&adapter.get_info()))
        .map(|(_, adapter)| adapter)
        .ok_or_else(|| {
            let asked = [
                ("--adapter", &request.adapter),
                ("--backend", &request.backend),
            ];
            let asked: Vec<String> = asked
                .into_iter()
                .filter_map(|(flag, value)| Some(format!("{flag} {}", value.as_ref()?)))
                .collect();
            Error::unavailable(format!(
                "no adapter matches {}; there are: {}",
                asked.join(" "),
                names.join(", ")
            ))
        })
}

/// Raises WebGPU's default limits where the adapter allows more. Storage buffers per stage keep the default, so that
/// every machine rejects the same shaders. llvmpipe gets more because its uniform buffers become storage buffers
/// (`pipeline/compile.rs`).
fn limits(adapter: &wgpu::Adapter) -> wgpu::Limits {
    let has = adapter.limits();
    let default = wgpu::Limits::default();
    let mut storage_buffers = default.max_storage_buffers_per_shader_stage;
    if is_llvmpipe(&adapter.get_info().name) {
        storage_buffers += default.max_uniform_buffers_per_shader_stage;
    }
    wgpu::Limits {
        max_buffer_size: has.max_buffer_size,
        max_storage_buffer_binding_size: has.max_storage_buffer_binding_size,
        max_compute_workgroup_storage_size: has.max_compute_workgroup_storage_size,
        max_texture_dimension_2d: has.max_texture_dimension_2d,
        max_texture_array_layers: has.max_texture_array_layers,
        max_storage_buffers_per_shader_stage: storage_buffers
            .min(has.max_storage_buffers_per_shader_stage),
        ..default
    }
}

/// True if this build's shaders check array bounds and loops at run time, which makes them slow.
pub const fn checks_shaders() -> bool {
    cfg!(debug_assertions)
}

impl Gpu {
    pub fn open(request: &AdapterRequest) -> Result<Self> {
        Self::open_one_of(adapters(), request)
    }

    pub fn open_one_of(all: Vec<wgpu::Adapter>, request: &AdapterRequest) -> Result<Self> {
        Self::now_on(&choose(all, request)?, request.clock)
    }

    fn now_on(adapter: &wgpu::Adapter, clock: ClockChoice) -> Result<Self> {
        let none = || Err(Error::unavailable("a browser opens no second device"));
        waited(Self::on(adapter, clock)).unwrap_or_else(none)
    }

    /// Opens an adapter that can draw into a window. Returns the window's surface as well.
    pub async fn open_for_window(
        request: &AdapterRequest,
        window: impl Into<wgpu::SurfaceTarget<'static>>,
    ) -> Result<(Self, wgpu::Surface<'static>, wgpu::SurfaceCapabilities)> {
        let instance = instance();
        let surface = instance.create_surface(window).map_err(|error| {
            Error::unavailable(format!(
                "cannot draw into the window ({}); wavelerp capture renders to files",
                one_line(&error)
            ))
        })?;
        let all = instance.enumerate_adapters(wgpu::Backends::all()).await;
        let able = all
            .into_iter()
            .filter(|adapter| adapter.is_surface_supported(&surface))
            .collect();
        let adapter = choose(able, request)?;
        let capabilities = surface.get_capabilities(&adapter);
        let gpu = Self::on(&adapter, request.clock).await?;
        Ok((gpu, surface, capabilities))
    }

    /// Another device of the same adapter with the same clock. Its buffers have other addresses.
    pub fn anew(&self) -> Result<Self> {
        Ok(Self {
            clock: Arc::clone(&self.clock),
            worked: Arc::clone(&self.worked),
            ..Self::now_on(&self.adapter, self.clock_choice)?
        })
    }

    /// Stores that the GPU was busy for the given time, which makes a warm-up unnecessary.
    pub(in crate::gpu) fn note_work(&self, time: Duration) {
        let until = Instant::now();
        *lock(&self.worked) = Some(Worked { time, until });
    }

    pub fn last_work(&self) -> Option<Worked> {
        *lock(&self.worked)
    }

    /// A constant texture, created on first use and kept for the life of the device.
    pub fn constant_texture(
        &self,
        make: impl FnOnce() -> Result<wgpu::Texture>,
    ) -> Result<wgpu::TextureView> {
        if let Some(view) = self.constant_texture.get() {
            return Ok(view.clone());
        }
        let view = make()?.create_view(&Default::default());
        Ok(self.constant_texture.get_or_init(|| view).clone())
    }

    async fn on(adapter: &wgpu::Adapter, clock_choice: ClockChoice) -> Result<Self> {
        let caps = describe(adapter);
        let optional = OPTIONAL
            .iter()
            .fold(wgpu::Features::empty(), |all, entry| all | entry.0);
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("wavelerp"),
            required_features: adapter.features() & optional,
            required_limits: limits(adapter),
            ..Default::default()
        };
        let opened = adapter.request_device(&descriptor).await;
        let (device, queue) = opened.map_err(|error| {
            Error::failed(format!(
                "{} refused to create a device: {}; try another with --adapter \
                     (wavelerp list shows them)",
                caps.name,
                one_line(&error)
            ))
        })?;
        let faults = Arc::<Faults>::default();
        let sink = Arc::clone(&faults);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            sink.add(&error);
        }));
        let lost = Arc::new(OnceLock::new());
        let why = Arc::clone(&lost);
        device.set_device_lost_callback(move |_, message| {
            // The first message is the cause.
            let _ = why.set(one_line(&message));
        });
        Ok(Self {
            adapter: adapter.clone(),
            device,
            queue,
            caps,
            is_named: instance_flags().contains(wgpu::InstanceFlags::DEBUG),
            checks_shaders: checks_shaders(),
            clock_choice,
            clock: Arc::default(),
            worked: Arc::default(),
            constant_texture: Arc::default(),
            faults,
            lost,
        })
    }

    /// Number of errors that wgpu has reported outside a call since the device was opened. When the number grows,
    /// earlier submissions may be incomplete.
    pub fn fault_count(&self) -> u64 {
        self.faults.count.load(Ordering::Acquire)
    }

    /// True if the device is lost. All its resources must then be created again on another device.
    pub fn is_lost(&self) -> bool {
        self.lost.get().is_some()
    }

    pub(super) fn loss(&self) -> Option<Error> {
        let why = match self.lost.get()?.as_str() {
            "" => "",
            why => &format!(" ({why})"),
        };
        Some(self.failed(format!(
            "the device was lost{why}; start again; if that repeats, try a smaller size or another driver"
        )))
    }

    fn failed(&self, what: String) -> Error {
        Error::failed(format!("{}: {what}", self.caps.name))
    }

    /// An error if the device is lost, otherwise the first error that wgpu has reported since the last check.
    pub fn check(&self) -> Result<()> {
        let fault = lock(&self.faults.messages).drain(..).next();
        // Other reports of a lost device are only consequences.
        let error = self.loss().or_else(|| Some(self.failed(fault?)));
        error.map_or(Ok(()), Err)
    }

    /// Runs `make`, and returns the first error that wgpu reports for it on this thread. A browser reports errors some
    /// frames later, through [`Gpu::check`].
    pub fn catch<T>(&self, make: impl FnOnce() -> T) -> Result<T> {
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
        let scopes = [Internal, OutOfMemory, Validation].map(|of| self.device.push_error_scope(of));
        let made = make();
        // Scopes are closed from the innermost outwards.
        let caught = scopes.into_iter().rev().map(|scope| scope.pop());
        #[cfg(not(target_arch = "wasm32"))]
        let errors: Vec<wgpu::Error> = caught.filter_map(pollster::block_on).collect();
        #[cfg(target_arch = "wasm32")]
        let errors = self.report_later(caught);
        let first = || Some(self.failed(message_of(errors.first()?)));
        self.loss().or_else(first).map_or(Ok(made), Err)
    }

    #[cfg(target_arch = "wasm32")]
    fn report_later(
        &self,
        caught: impl Iterator<Item = impl Future<Output = Option<wgpu::Error>> + 'static>,
    ) -> Vec<wgpu::Error> {
        for error in caught {
            let sink = Arc::clone(&self.faults);
            wasm_bindgen_futures::spawn_local(async move {
                if let Some(error) = error.await {
                    sink.add(&error);
                }
            });
        }
        Vec::new()
    }

    pub fn submit_and_wait(&self, commands: wgpu::CommandBuffer) -> Result<()> {
        self.queue.submit([commands]);
        self.wait()
    }

    pub fn compute_and_wait(
        &self,
        label: &str,
        record: impl FnOnce(&mut wgpu::ComputePass) -> Result<()>,
    ) -> Result<()> {
        let mut encoder = self.encoder(label);
        let mut pass = encoder.begin_compute_pass(&Default::default());
        record(&mut pass)?;
        drop(pass);
        self.submit_and_wait(encoder.finish())
    }

    pub fn wait(&self) -> Result<()> {
        let waited = self.wait_until_idle();
        self.check().and(waited)
    }

    pub(super) fn wait_until_idle(&self) -> Result<()> {
        let polled = self.device.poll(wgpu::PollType::wait_indefinitely());
        let failed =
            |error| self.failed(format!("waiting for the GPU failed: {}", one_line(&error)));
        polled.map(drop).map_err(failed)
    }

    pub fn encoder(&self, label: &str) -> wgpu::CommandEncoder {
        self.device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some(label) })
    }
}

/// wgpu's message on one line. When memory runs out, the message also includes the causes, because they name the
/// allocation.
fn message_of(error: &wgpu::Error) -> String {
    let mut message = error.to_string();
    if let wgpu::Error::OutOfMemory { source } = error {
        let first: &(dyn std::error::Error + 'static) = source.as_ref();
        for cause in std::iter::successors(Some(first), |cause| cause.source()) {
            message += &format!(": {cause}");
        }
    }
    one_line(&message)
}
