//! The self-test at the start: each requested method composites a few small lists. A result may be out of bounds on
//! this adapter, for example because lanes do not reconverge as the method's ragged loop assumes. The method is then
//! listed as unavailable, with the reason.

use std::collections::BTreeSet;

use serde::Serialize;

use super::checks::{Check, CheckedLists};
use crate::error::{Error, Result};
use crate::gpu::{Gpu, Pipelines, Precompile, until};
use crate::methods::auto;
use crate::model::Capabilities;
use crate::model::methods::{Method, Trait};
use crate::model::options::{Hazard, Options, Tail};
use crate::model::reference::stress::{StressList, stress_lengths, stress_list};
use crate::progress::{Listener, Progress};

/// A method, and the reason if it cannot be used on this adapter.
#[derive(Clone, Debug, Serialize)]
pub struct MethodStatus {
    pub method: Method,
    pub unavailable: Option<String>,
    /// Wave size of the method's kernel in the self-test. Absent if the kernel could not determine it, or was not
    /// tested.
    pub wave_size: Option<u32>,
    /// True if the test has not ended yet.
    #[serde(skip)]
    pub is_untested: bool,
}

impl MethodStatus {
    /// Status of a method that will be tested, if the adapter has what the method needs.
    pub fn untested(method: Method, caps: &Capabilities) -> Self {
        let unavailable = method.missing_on(caps);
        Self {
            method,
            is_untested: unavailable.is_none(),
            unavailable,
            wave_size: None,
        }
    }

    pub fn tested(method: Method, unavailable: Option<String>, wave_size: Option<u32>) -> Self {
        Self {
            method,
            unavailable,
            wave_size,
            is_untested: false,
        }
    }

    /// Reason why the method cannot be used now, if there is one.
    pub fn reason(&self) -> Option<&str> {
        let untested = self.is_untested.then_some("being tested");
        self.unavailable.as_deref().or(untested)
    }
}

/// Runs the self-test on the `methods` that this adapter can run, with the `options` of their later use. With `auto`,
/// the methods that it may choose are tested too. Returns the status of all methods. Untested methods are unavailable
/// only if the adapter lacks what they need.
///
/// Two options keep their defaults, because their effect is no fault of the driver: the form of the exclusive prefix
/// product, and the transmittance at which a pixel stops.
pub fn self_test(
    gpu: &Gpu,
    pipelines: &Pipelines,
    methods: &[Method],
    options: &Options,
    progress: Listener,
) -> Result<Vec<MethodStatus>> {
    let mut statuses = Vec::new();
    let mut keep = |status| statuses.push(status);
    gpu.finish(test_each(
        gpu, pipelines, methods, options, progress, &mut keep,
    ))?;
    statuses.sort_by_key(|status: &MethodStatus| status.method);
    Ok(statuses)
}

/// Like [`self_test`], but does not wait for the GPU, and passes on each status once known.
pub async fn test_each(
    gpu: &Gpu,
    pipelines: &Pipelines,
    methods: &[Method],
    options: &Options,
    progress: Listener<'_>,
    known: &mut dyn FnMut(MethodStatus),
) -> Result<()> {
    let tested = with_candidates(methods, &gpu.caps);
    let width = gpu.caps.wave_max as usize;
    let lengths = stress_lengths(width).into_iter().take(9);
    let lists = lengths.map(|count| stress_list("random", count, 1));
    let lists: Vec<StressList> = lists.collect();
    let options = options.with_frame(|frame| frame.early_out = 0.0);
    let options = options.with_method(|method| method.hazard = Hazard::Driver);
    let checked = CheckedLists::new(gpu, &tested, &options, &lists)?;
    let is_missing = |method: &Method| method.missing_on(&gpu.caps).is_some();
    let mut running = tested.clone();
    running.retain(|method| !is_missing(method));
    for method in Method::all().filter(|method| !running.contains(method)) {
        known(MethodStatus::tested(
            method,
            method.missing_on(&gpu.caps),
            None,
        ));
    }
    let compile = |method: &Method| checked.compile_ahead(gpu, pipelines, &[*method]);
    let compiled: Vec<Precompile> = running.iter().map(compile).collect();
    for (done, (&method, compiled)) in running.iter().zip(&compiled).enumerate() {
        let next = format!("testing {method}");
        progress(Progress::step(next, done, running.len()))?;
        until(|| compiled.is_over().then_some(())).await;
        let asked = options.specialize(method);
        known(match checked.check(gpu, pipelines, asked).await {
            Err(error) if gpu.is_lost() => return Err(error),
            checks => status_by(method, options.method.tail, checks),
        });
    }
    Ok(())
}

/// Options for a self-test if the later options are unknown: several pixels per wave, and defaults for everything else.
pub fn usual_options() -> Options {
    Options::default().with_method(|method| method.pixels_per_wave = 4)
}

/// The methods and, if `auto` is among them, those that it may choose on this adapter, each only once.
fn with_candidates(methods: &[Method], caps: &Capabilities) -> Vec<Method> {
    let mut wanted = methods.to_vec();
    if methods.contains(&Method::Auto) {
        wanted.extend(auto::methods(caps));
    }
    let mut met = BTreeSet::new();
    wanted.retain(|method| met.insert(*method));
    wanted
}

/// The methods that `names` may mean before anything is known about the driver ([`Method::meant_by`]).
pub fn named(names: &[String]) -> Result<Vec<Method>> {
    let meant = names.iter().map(|name| Method::meant_by(name));
    Ok(meant.collect::<Result<Vec<_>>>()?.concat())
}

fn status_by(method: Method, tail: Tail, checks: Result<Vec<Check>>) -> MethodStatus {
    let (unavailable, wave_size) = match checks {
        Err(error) => (Some(format!("its shader failed here: {error}")), None),
        Ok(checks) => {
            let sizes = checks.iter().map(|check| check.wave_size);
            let wave_size = sizes.max().filter(|&size| size > 0);
            let wrong = checks.iter().find(|check| !check.passed);
            let reason = wrong.map(|check| {
                let what = match method.has(Trait::Ragged) && tail == Tail::Own {
                    true => "out of bounds on this driver: lanes may not reconverge as the loop assumes \
                             (try --tail padded)",
                    false => "its result is out of bounds on this driver",
                };
                format!(
                    "{what}: {} layers, error {:.3e}, {} NaN",
                    check.layers, check.max_abs, check.nan_count
                )
            });
            (reason, wave_size)
        }
    };
    MethodStatus::tested(method, unavailable, wave_size)
}

/// The methods that `names` mean. A group such as `exact` leaves out unavailable methods.
///
/// # Errors
/// Usage: there is no method with a given name. Unavailable: a named method cannot run on this adapter.
pub fn choose(names: &[String], statuses: &[MethodStatus]) -> Result<Vec<Method>> {
    let mut chosen = Vec::new();
    for name in names {
        let meant = Method::meant_by(name)?;
        if Method::is_group(name) {
            let usable = statuses.iter().filter(|of| of.unavailable.is_none());
            let usable = usable.map(|status| status.method);
            chosen.extend(usable.filter(|method| meant.contains(method)));
            continue;
        }
        let method = Method::by_name(name)?;
        let status = statuses.iter().find(|status| status.method == method);
        if let Some(reason) = status.and_then(|status| status.unavailable.as_ref()) {
            return Err(Error::unavailable(format!(
                "{name} cannot run on this adapter: {reason}; name another method, or another adapter \
                 with --adapter"
            )));
        }
        chosen.push(method);
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn statuses() -> Vec<MethodStatus> {
        let status = |method| {
            let is_out = method == Method::WaveLerpFindMsb;
            MethodStatus::tested(method, is_out.then(|| "the reason".to_owned()), None)
        };
        Method::all().map(status).collect()
    }

    fn chosen(names: &[&str]) -> Result<Vec<Method>> {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        choose(&names, &statuses())
    }

    #[test]
    fn all_leaves_out_what_is_unavailable_and_a_name_insists() {
        let all = chosen(&["all"]).unwrap_or_default();
        assert_eq!(all.len(), Method::all().count() - 1);
        assert!(!all.contains(&Method::WaveLerpFindMsb));
        let [exact, approximate] = ["exact", "approximate"].map(|group| chosen(&[group]));
        let groups = [exact.unwrap_or_default(), approximate.unwrap_or_default()];
        assert!(groups[0].contains(&Method::Auto) && groups[1].contains(&Method::Average));
        assert_eq!(groups.concat(), all);
        for names in [
            &["wave-lerp-find-msb"][..],
            &["exact", "wave-lerp-find-msb"],
            &["wave-lerp-find-msb", "pixel-loop"],
        ] {
            let Error { kind, message } = chosen(names).expect_err("unavailable");
            assert_eq!(kind, ErrorKind::Unavailable);
            assert!(message.contains("wave-lerp-find-msb") && message.contains("the reason"));
        }
    }

    #[test]
    fn names_come_out_once_and_in_the_order_of_the_table() {
        let names = ["wave-lerp-deferred", "pixel-loop", "wave-lerp-deferred"];
        let expected = vec![Method::PixelLoop, Method::WaveLerpDeferred];
        assert_eq!(chosen(&names).ok(), Some(expected));
        let error = chosen(&["no-such"]).expect_err("no method");
        assert_eq!(error.kind, ErrorKind::Usage);
    }
}
