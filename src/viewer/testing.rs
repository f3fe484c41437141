//! Tests of the adapter's clock and of all methods, a few in every frame. A method is offered once it has passed.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::error::{ErrorKind, Result};
use crate::gpu::shader::ShaderSource;
use crate::gpu::{Gpu, Pending, Pipelines, known_clock, tested_clock};
use crate::model::methods::Method;
use crate::runs::verify::self_test::{MethodStatus, test_each, usual_options};

use super::messages::Severity;
use super::state::State;

/// Time in each frame for tests, short enough for the window to keep following the mouse.
const PART_OF_A_FRAME: Duration = Duration::from_millis(20);

/// Running tests and the results so far; `None` before the tests begin.
type RunningTests = (Pending<Result<()>>, Receiver<MethodStatus>);

#[derive(Default)]
pub(super) struct Testing {
    under_way: Option<RunningTests>,
    is_over: bool,
}

impl Testing {
    /// Starts testing the clock and the untested methods. Displayed methods are tested first.
    fn start(gpu: &Gpu, state: &State) -> RunningTests {
        let compare = &state.comparison.chosen;
        let mut methods = vec![compare.a, compare.b, compare.reference];
        methods.extend(Method::all());
        methods.retain(|method| state.machine.is_untested(*method));
        let options = usual_options()
            .with_method(|method| method.tail = state.subject.settings.options.method.tail);
        let (sender, known) = channel();
        let gpu = gpu.clone();
        let work = async move {
            tested_clock(&gpu).await?;
            // The tests check the driver, so they do not use edited shaders.
            let pipelines = Pipelines::new(ShaderSource::default());
            let progress = &mut |_| Ok(());
            // Sending fails if the window has closed.
            let mut send = |status| drop(sender.send(status));
            test_each(&gpu, &pipelines, &methods, &options, progress, &mut send).await
        };
        (Pending::new(work), known)
    }

    /// True while the clock is being tested, because any other work on the adapter would be included in its times.
    pub fn wants_quiet(&self, gpu: &Gpu) -> bool {
        self.is_under_way() && known_clock(gpu).is_none()
    }

    pub fn is_under_way(&self) -> bool {
        !self.is_over
    }

    pub fn step(&mut self, gpu: &Gpu, state: &mut State) -> Result<()> {
        if self.is_over {
            return Ok(());
        }
        let start = || Self::start(gpu, state);
        let (work, known) = self.under_way.get_or_insert_with(start);
        let ended = work.step(gpu, PART_OF_A_FRAME);
        for status in known.try_iter() {
            state.take_status(&status);
        }
        match ended {
            Some(ended) => self.end(ended, gpu, state),
            None => Ok(()),
        }
    }

    pub fn finish(&mut self, gpu: &Gpu, state: &mut State) -> Result<()> {
        while self.is_under_way() {
            self.step(gpu, state)?;
        }
        Ok(())
    }

    fn end(&mut self, ended: Result<()>, gpu: &Gpu, state: &mut State) -> Result<()> {
        (self.under_way, self.is_over) = (None, true);
        match ended {
            Err(error) if error.kind == ErrorKind::Unavailable => return Err(error),
            // Another device will be opened and tested.
            Err(_) if gpu.is_lost() => {}
            Err(error) => {
                let line = format!("the self-test failed: {error}");
                state.messages.announce(Severity::Error, line.clone());
                let mut untested: Vec<Method> = Method::all().collect();
                untested.retain(|method| state.machine.is_untested(*method));
                for method in untested {
                    state.take_status(&MethodStatus {
                        unavailable: Some(line.clone()),
                        is_untested: false,
                        ..MethodStatus::untested(method, &state.machine.caps)
                    });
                }
            }
            Ok(()) => {}
        }
        Ok(())
    }
}
