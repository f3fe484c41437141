//! Workgroup memory starts with values of the previous workgroup, so accumulators must be set first.

use wavelerp::gpu::shader::ShaderSource;

/// Atomic workgroup variables of a file that no code ever stores to.
fn unset(text: &str) -> Vec<&str> {
    let declared = text.lines().filter_map(|line| {
        let (name, ty) = line
            .trim()
            .strip_prefix("var<workgroup> ")?
            .split_once(':')?;
        ty.contains("atomic<").then_some(name)
    });
    let is_set = |name: &str| {
        let store = |end: &str| text.contains(&format!("atomicStore(&{name}{end}"));
        store(",") || store("[")
    };
    declared.filter(|name| !is_set(name)).collect()
}

#[test]
fn every_atomic_in_workgroup_memory_is_set_before_it_counts() {
    let source = crate::shaders::source();
    let mut seen = 0;
    for module in ShaderSource::modules() {
        let text = source.file(&module).expect("an embedded file");
        seen += text.matches("var<workgroup>").count();
        assert_eq!(unset(&text), [""; 0], "{module}");
    }
    assert!(seen > 10, "{seen} variables");
}

#[test]
fn an_atomic_that_is_only_added_to_is_found() {
    let text = "var<workgroup> done: atomic<u32>;\nfn f() { atomicAdd(&done, 1u); }";
    assert_eq!(unset(text), ["done"]);
    let set = text.replace("fn f() {", "fn f() { atomicStore(&done, 0u);");
    assert_eq!(unset(&set), [""; 0]);
}
