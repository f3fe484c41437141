//! The comparison set as the library makes it, on a thread of its own: the same files as `capture`.

use wavelerp::gpu::AdapterRequest;
use wavelerp::gpu::shader::ShaderSource;
use wavelerp::input::Disk;
use wavelerp::model::methods::Method;
use wavelerp::model::scene;
use wavelerp::model::settings::{Purpose, Settings, default_settings};
use wavelerp::progress::Progress;
use wavelerp::report::folder::Output;
use wavelerp::runs::capture::set::{SET, SetRequest, comparison_set};

use super::Desk;

fn settings() -> Settings {
    let caps = crate::shaders::capabilities(8, true);
    let defaults = default_settings("two", &Disk, &caps, Purpose::Capture);
    Settings {
        size: [48, 27],
        time: 0.5,
        ..defaults.expect("it is built in")
    }
}

#[test]
fn a_thread_with_a_device_of_its_own_writes_the_files_of_capture() {
    let desk = Desk::new();
    let methods = vec![Method::PixelLoop, Method::WaveLerpDeferred];
    let command = settings().command("capture", &methods);
    let arguments = command.strip_prefix("wavelerp ").expect("a command line");
    desk.run(&format!("{arguments} --format exr --out capture --quiet"))
        .good();

    let folder = desk.path("thread");
    let shaders = desk.shaders.as_ref().expect("a folder");
    let shaders = shaders.path().to_owned();
    let thread = std::thread::spawn(move || {
        let output = Output::choose(SET, Some(&folder), "two", false)?;
        let adapter = AdapterRequest {
            adapter: std::env::var("WAVELERP_ADAPTER").ok(),
            ..AdapterRequest::default()
        };
        let wanted = SetRequest {
            scene: scene::load("two", &Disk)?,
            settings: settings(),
            reference: Method::PixelLoop,
            methods,
            difference_range: Default::default(),
            exr: true,
            page: Default::default(),
            traced: false,
            shaders_folder: Some(shaders.clone()),
        };
        let mut steps = Vec::new();
        let mut progress = |at: Progress| {
            steps.push(at.next);
            Ok(())
        };
        let shaders = ShaderSource {
            folder: Some(shaders),
            ..ShaderSource::default()
        };
        let paths = comparison_set(&adapter, shaders, &wanted, output, &mut progress)?;
        Ok::<_, wavelerp::error::Error>((paths, steps))
    });
    let (paths, steps) = thread.join().expect("no panic").expect("a set");
    let expected = "testing the methods, testing the methods, drawing two, compositing by pixel-loop, \
                    compositing by wave-lerp-deferred, colouring the differences, timing, writing the report, \
                    writing the page";
    assert_eq!(steps.join(", "), expected);
    let names = desk.names("capture");
    assert_eq!(desk.names("thread"), names);
    assert_eq!(names.len(), paths.len());
    for name in names.iter().filter(|name| name.ends_with("png")) {
        let [one, other] = ["capture", "thread"].map(|at| desk.read(&format!("{at}/{name}")));
        assert!(one == other, "{name}");
    }
}
