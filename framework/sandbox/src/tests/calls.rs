//! Calls: columns in and out, memory of several sizes, and the services of the host.

use super::image::Image;
use simhost_abi::host::Circumstances;

use super::*;

/// A phase that writes `first input + 1000` to the first output of each lane, and the number of lanes to the second.
const ADDS: &str = "(param $phase i32) (param $handle i32) (param $batch i32) (param $fault i32) (result i32)
    (local $lane i32) (local $count i32) (local $in i32) (local $out i32) (local $second i32)
    (local.set $count (i32.load offset=12 (local.get $batch)))
    (local.set $in (i32.load (i32.load offset=40 (local.get $batch))))
    (local.set $out (i32.load (i32.load offset=44 (local.get $batch))))
    (local.set $second (i32.load offset=4 (i32.load offset=44 (local.get $batch))))
    (loop $next
      (f64.store (i32.add (local.get $out) (i32.mul (i32.const 8) (local.get $lane)))
        (f64.add (f64.const 1000) (f64.load (i32.add (local.get $in) (i32.mul (i32.const 8) (local.get $lane))))))
      (f64.store (i32.add (local.get $second) (i32.mul (i32.const 8) (local.get $lane)))
        (f64.convert_i32_u (local.get $count)))
      (local.set $lane (i32.add (local.get $lane) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $lane) (local.get $count))))
    i32.const 0";

#[test]
fn lanes_go_in_and_come_out() {
    let bytes = module(&Image::new(), &[("simhost_call", ADDS)], "");
    for lanes in [1, 2, 128, 5000] {
        let mut rig = ready(&bytes, lanes);
        assert!(call(&mut rig).is_none());
        let outputs = &rig.phases[0].outputs;
        let expected: Vec<f64> = (0..lanes).map(|lane| (100 * lane + 1000) as f64).collect();
        assert_eq!(outputs[0], expected);
        assert_eq!(outputs[1], vec![lanes as f64; lanes]);
    }
}

#[test]
fn a_part_of_the_lanes_changes_no_others() {
    let bytes = module(&Image::new(), &[("simhost_call", ADDS)], "");
    let mut rig = ready(&bytes, 10);
    assert!(rig.call(0, 3..7, [0.0, 0.01]).is_ok());
    let found = &rig.phases[0].outputs[0];
    let expected = [0.0, 0.0, 0.0, 1300.0, 1400.0, 1500.0, 1600.0, 0.0, 0.0, 0.0];
    assert_eq!(found, &expected);
    // other numbers of lanes, and the same one again
    for lanes in [0..10, 3..7, 9..10] {
        assert!(rig.call(0, lanes.clone(), [0.0, 0.01]).is_ok());
        let count = &rig.phases[0].outputs[1];
        assert_eq!(count[lanes.start], lanes.len() as f64);
    }
}

#[test]
fn a_number_that_is_not_one_has_the_bits_of_every_platform() {
    let text = "(param i32 i32 i32 i32) (result i32) (i64.store (i32.load (i32.load offset=44 (local.get 2)))
        (i64.const 0xfff8000000000123)) i32.const 0";
    let mut rig = ready(&module(&Image::new(), &[("simhost_call", text)], ""), 1);
    assert!(call(&mut rig).is_none());
    assert_eq!(rig.phases[0].outputs[0][0].to_bits(), f64::NAN.to_bits());
}

#[test]
fn a_fault_of_the_model_names_the_lane() {
    // writes 2 (a number that is not finite) for lane 4, with the text "no"
    let text = "(param i32 i32 i32 i32) (result i32)
        (i32.store (local.get 3) (i32.const 2)) (i32.store offset=4 (local.get 3) (i32.const 2))
        (i64.store offset=8 (local.get 3) (i64.const 4)) (i32.store16 offset=24 (local.get 3) (i32.const 0x6f6e))
        i32.const 2";
    let mut rig = ready(&module(&Image::new(), &[("simhost_call", text)], ""), 6);
    let fault = rig.call(0, 1..6, [0.0, 0.01]).err().unwrap();
    assert_eq!((fault.code, fault.lane, fault.message()), (2, 5, "no".into()));
}

#[test]
fn a_model_that_refuses_its_parameters_says_why() {
    let text = "(param i32 i32 i32 i32 i32) (result i32)
        (i32.store offset=4 (local.get 4) (i32.const 2)) (i32.store16 offset=24 (local.get 4) (i32.const 0x6f6e)) i32.const 4";
    let fault = rig(&module(&Image::new(), &[("simhost_create", text)], ""), 1).err().unwrap();
    assert_eq!((fault.code, fault.message()), (fault_code::REFUSED, "no".into()));
}

#[test]
fn parameters_arrive() {
    // the number of the first parameter, and their count, are refused as the lane
    let text = "(param i32 i32 i32 i32 i32) (result i32)
        (i64.store offset=8 (local.get 4) (i64.extend_i32_u (i32.add (i32.mul (i32.const 1000) (local.get 2))
            (i32.trunc_f64_s (f64.load offset=8 (local.get 1)))))) i32.const 4";
    let bytes = module(&Image::new(), &[("simhost_create", text)], "");
    let class = load(&bytes).unwrap();
    let mut values = vec![ParamValue::Number(0.0); class.model.params().len()];
    values[0] = ParamValue::Number(42.0);
    let count = values.len() as u64;
    assert_eq!(Instance::new(&class, values).err().unwrap().lane, 1000 * count + 42);
}

#[test]
fn lanes_that_do_not_fit_into_the_memory_are_refused() {
    // 2^29 numbers have 2^32 bytes, which a number of 32 bits counts as none
    let mut rig = ready(&module(&Image::new(), &[("simhost_call", ADDS)], ""), 1);
    let fault = rig.call(0, 0..1 << 29, [0.0, 0.01]).err().unwrap();
    assert_eq!(fault.code, fault_code::REFUSED);
    assert!(fault.message().contains("bytes of memory, expected at most"), "{}", fault.message());
    // the next call has columns again
    assert!(call(&mut rig).is_none());
    assert_eq!(rig.phases[0].outputs[0], [1000.0]);
}

/// Answers for the table of memories with the address 96, and for other tables with null.
const WITH_MEMORY: &str = "(param $model i32) (param $id i32) (param $len i32) (result i32)
    (if (result i32) (i32.and (i32.eq (local.get $len) (i32.const 16))
        (i32.and (i32.eq (i32.load8_u offset=8 (local.get $id)) (i32.const 0x6d))
                 (i32.eq (i32.load8_u offset=9 (local.get $id)) (i32.const 0x65))))
      (then (i32.const 96)) (else (i32.const 0)))";

#[test]
fn the_points_of_an_environment_share_the_memory_of_lane_0() {
    let create =
        "(param i32 i32 i32 i32) (result i32) (i32.store (local.get 2) (i32.const 55)) i32.const 0";
    // writes the sum of the memories of two points to the first output
    let sums = "(param $phase i32) (param $handle i32) (param $batch i32) (param $fault i32) (result i32)
        (f64.store (i32.load (i32.load offset=44 (local.get $batch))) (f64.convert_i32_u (i32.add
            (i32.load (i32.load offset=56 (local.get $batch))) (i32.load offset=4 (i32.load offset=56 (local.get $batch))))))
        i32.const 0";
    let changed = [
        ("simhost_ability", WITH_MEMORY),
        ("simhost_memory_create", create),
        ("simhost_call", sums),
    ];
    let table = "(data (i32.const 96) \"\\18\\00\\00\\00\")";
    let image = Image::of_plugin(&simhost_environment::PLUGIN);
    let mut rig = ready(&module(&image, &changed, table), 2);
    let phase = rig.phase("wind").unwrap();
    let memories = rig.memories.clone().unwrap();
    // an environment has one memory; what follows it is none
    // SAFETY: the pointer is that of the first lane.
    let one = [unsafe { *memories.pointers() }, std::ptr::without_provenance_mut(8)];
    // SAFETY: the rig lives, and nothing else accesses its columns.
    let outcome = unsafe {
        let at = Circumstances { memories: one.as_ptr(), ..Circumstances::of_step(0.0, 0.01) };
        rig.bound(phase).run(0..2, &at)
    };
    assert!(outcome.is_ok());
    assert_eq!(rig.phases[phase].outputs[0][0], 110.0);
}
