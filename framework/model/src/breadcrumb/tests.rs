//! Tests of `breadcrumb`.

use super::*;

#[test]
fn a_call_is_visible_while_it_lasts() {
    let label: &'static CallLabel = Box::leak(Box::new(CallLabel {
        class: "acme/ice".into(),
        source: "ice.so".into(),
        function: "force",
        entities: Entities::owners(vec!["a".into(), "b".into()]),
        checks_floats: true,
    }));
    let seen = leave(label, 1, 1, 0.3, || of_this_thread().expect("left above"));
    assert_eq!((seen.class, seen.lanes, seen.time), ("acme/ice", 1, 0.3));
    assert_eq!(seen.entity.to_string(), "b");
    assert!(of_this_thread().is_none());
    let again = leave(label, 0, 2, 0.3, || of_this_thread().expect("left above"));
    assert_eq!((again.lanes, again.calls), (2, seen.calls + 1));
    assert_eq!(again.entity.to_string(), "a");
}
