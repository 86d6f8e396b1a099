//! Modules that fail while they run: each failure is a fault of the model, and the host continues with the next call.

use super::image::Image;
use super::*;

const HEAD: &str = "(param i32 i32 i32 i32) (result i32)";

/// Calls a phase with this text twice and returns the text of the fault, which must be the same.
fn failed(text: &str) -> String {
    let text = format!("{HEAD} {text}");
    let bytes = module(&Image::new(), &[("simhost_call", &text)], "");
    let mut rig = ready(&bytes, 3);
    let first = panic(call(&mut rig));
    assert_eq!(panic(call(&mut rig)), first);
    assert_eq!(rig.phases[0].outputs[0], [0.0; 3], "outputs of a call that failed");
    first
}

#[test]
fn a_function_that_does_not_end_is_stopped() {
    let text = failed("(loop $for_ever (br $for_ever)) i32.const 0");
    assert!(text.starts_with("it ran for 1 s"), "{text}");
}

#[test]
fn a_stack_that_overflows_is_a_fault() {
    let text = failed("(call $deeper) i32.const 0) (func $deeper (call $deeper)");
    assert!(text.starts_with("its stack overflowed"), "{text}");
}

#[test]
fn an_access_outside_of_the_memory_is_a_fault() {
    for access in [
        "(f64.store (i32.const -8) (f64.const 1)) i32.const 0",
        "(i32.load (i32.const 0x7fffffff))",
    ] {
        let text = failed(access);
        assert!(text.starts_with("it accessed memory that it does not have"), "{text}");
        assert!(text.contains("at offset 0x"), "{text}");
    }
}

#[test]
fn a_division_by_zero_and_an_abort_are_faults() {
    let text = failed("(i32.div_u (i32.const 1) (i32.const 0))");
    assert!(text.starts_with("it trapped: integer divide by zero"), "{text}");
    let text = failed("unreachable");
    assert!(text.starts_with("it trapped: wasm `unreachable` instruction executed"), "{text}");
}

#[test]
fn memory_has_a_limit() {
    // a model that gets no memory gets -1, as the target says
    let text = "(i32.add (i32.const 1) (memory.grow (i32.const 0x8000)))";
    let bytes = module(&Image::new(), &[("simhost_call", &format!("{HEAD} {text}"))], "");
    assert!(call(&mut ready(&bytes, 1)).is_none());
    let bytes = module(&Image::new(), &[], "(memory $second 1)");
    assert!(matches!(load(&bytes), Err(Refusal::Module(_))), "two memories");
}

#[test]
fn a_lane_that_traps_does_not_stop_the_lanes_before_it() {
    // lane 2 alone traps: the first input of the lane is 200
    let text = "(local $lane i32) (local $in f64)
        (loop $next
          (local.set $in (f64.load (i32.add (i32.load (i32.load offset=40 (local.get 2))) (i32.mul (i32.const 8) (local.get $lane)))))
          (if (f64.eq (local.get $in) (f64.const 200)) (then unreachable))
          (f64.store (i32.add (i32.load (i32.load offset=44 (local.get 2))) (i32.mul (i32.const 8) (local.get $lane))) (f64.const 7))
          (local.set $lane (i32.add (local.get $lane) (i32.const 1)))
          (br_if $next (i32.lt_u (local.get $lane) (i32.load offset=12 (local.get 2)))))
        i32.const 0";
    let bytes = module(&Image::new(), &[("simhost_call", &format!("{HEAD} {text}"))], "");
    let mut rig = ready(&bytes, 5);
    let fault = call(&mut rig).unwrap();
    assert_eq!(fault.lane, 2);
    assert_eq!(rig.phases[0].outputs[0], [7.0, 7.0, 0.0, 0.0, 0.0]);
}

#[test]
fn questions_of_a_module_are_checked() {
    let imports = "(import \"simhost\" \"write\" (func $write (param i32 i32)))
        (import \"simhost\" \"rays_cast\" (func $cast (param i32 i32 i32 i32)))
        (import \"simhost\" \"offers\" (func $offers (param i32 i32) (result i32)))";
    for (question, reason) in [
        (
            "(call $write (i32.const 0) (i32.const 8)) i32.const 0",
            "`write`: `write` is for memories and warnings only",
        ),
        (
            "(call $cast (i32.const 0) (i32.const 1) (i32.const 0) (i32.const 0)) i32.const 0",
            "does not offer `simhost.rays/1`",
        ),
        ("(call $offers (i32.const -4) (i32.const 9))", "outside of the memory"),
    ] {
        let text = format!("{HEAD} {question}");
        let bytes = module(&Image::new(), &[("simhost_call", &text)], imports);
        let found = panic(call(&mut ready(&bytes, 1)));
        assert!(found.contains(reason), "{found}");
    }
}
