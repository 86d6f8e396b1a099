//! Tests of `breadcrumb`.

use super::*;

#[test]
fn a_call_is_visible_while_it_lasts() {
    let label = &LabelHandle::new(CallLabel {
        class: "acme/ice".into(),
        source: "ice.so".into(),
        function: "force",
        entities: Entities::owners(vec!["a".into(), "b".into()]),
        checks_floats: true,
    });
    let pin = &Pin::new();
    let seen = leave(label, 1, 1, 0.3, || of_this_thread(pin).expect("left above"));
    assert_eq!((seen.class, seen.lanes, seen.time), ("acme/ice", 1, 0.3));
    assert_eq!(seen.entity.to_string(), "b");
    assert!(of_this_thread(pin).is_none());
    let again = leave(label, 0, 2, 0.3, || of_this_thread(pin).expect("left above"));
    assert_eq!((again.lanes, again.calls), (2, seen.calls + 1));
    assert_eq!(again.entity.to_string(), "a");
}

#[test]
fn labels_are_freed_when_no_breadcrumb_points_to_them() {
    let label = |class: &str| {
        let (class, source, function) = (class.into(), "ice.so".into(), "force");
        let entities = Entities::default();
        LabelHandle::new(CallLabel { class, source, function, entities, checks_floats: true })
    };
    let is_kept = |label: &std::sync::Weak<CallLabel>| label.upgrade().is_some();
    let [first, second] = ["first", "second"].map(label);
    let [weak, weak_second] = [&first, &second].map(|label| Arc::downgrade(&label.0));
    leave(&first, 0, 0, 0.0, || ());
    drop(first);
    let pin = Pin::new();
    assert_eq!(last(&pin).map(|call| call.class), Some("first"));
    leave(&second, 0, 0, 0.0, || ());
    drop(label("third"));
    assert!(is_kept(&weak), "a pin keeps a label to which a breadcrumb has pointed");
    drop(pin);
    drop(label("fourth"));
    // tests on other threads can hold a pin for a moment
    let freed = (0..1000).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(1));
        drop(label("fifth"));
        !is_kept(&weak)
    });
    assert!(freed && is_kept(&weak_second));
}

#[test]
fn a_label_is_kept_once_however_many_handles_are_dropped() {
    let (class, source, function) = ("copied".into(), "ice.so".into(), "force");
    let entities = Entities::default();
    let label = CallLabel { class, source, function, entities, checks_floats: true };
    let label = LabelHandle::new(label);
    leave(&label, 0, 0, 0.0, || ());
    (0..1000).for_each(|_| drop(label.clone()));
    let count = Arc::strong_count(&label.0);
    assert!(count <= 2, "{count} owners");
}
