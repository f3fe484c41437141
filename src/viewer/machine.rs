//! The machine that a window runs on. Independent of winit and wgpu.

use crate::gpu::shader::provenance::Provenance;
use crate::model::Capabilities;
use crate::model::methods::Method;
use crate::runs::verify::self_test::MethodStatus;

pub struct Machine {
    pub caps: Capabilities,
    pub statuses: Vec<MethodStatus>,
    pub shaders: Provenance,
    pub vsync: bool,
    /// True if smaller frames are drawn during motion on a CPU adapter.
    pub eases: bool,
}

impl Machine {
    pub fn new(caps: Capabilities, statuses: Vec<MethodStatus>) -> Self {
        Self {
            caps,
            statuses,
            shaders: Provenance::default(),
            vsync: true,
            eases: true,
        }
    }

    pub fn usable(&self) -> Vec<Method> {
        let usable = |method: &Method| {
            let status = self.status(*method);
            status.is_some_and(|status| status.reason().is_none())
        };
        Method::all().filter(usable).collect()
    }

    /// Usable methods that are exact or among `shown`. By default only these are timed in frames, probed and saved.
    pub fn compared(&self, shown: &[Method]) -> Vec<Method> {
        let mut usable = self.usable();
        usable.retain(|method| method.is_exact() || shown.contains(method));
        usable
    }

    pub fn refusal(&self, method: Method) -> Option<&str> {
        self.status(method)?.reason()
    }

    fn status(&self, method: Method) -> Option<&MethodStatus> {
        self.statuses.iter().find(|status| status.method == method)
    }

    pub fn is_untested(&self, method: Method) -> bool {
        self.status(method).is_some_and(|status| status.is_untested)
    }

    pub fn is_testing(&self) -> bool {
        self.statuses.iter().any(|status| status.is_untested)
    }

    /// Records the result of a method's test. Returns the reason why the method is unusable, if it is.
    pub fn take_status(&mut self, status: &MethodStatus) -> Option<String> {
        let mut statuses = self.statuses.iter_mut();
        let before = statuses.find(|before| before.method == status.method)?;
        if !before.is_untested {
            return None;
        }
        before.clone_from(status);
        status.unavailable.clone()
    }
}
