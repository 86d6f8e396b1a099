use super::*;

fn lent(owner: &MemoryOwner<Vec<f64>>) -> Remembered<Vec<f64>> {
    let mut state = Remembered::<Vec<f64>>::absent();
    // SAFETY: the pointer belongs to an owner of this type.
    unsafe { state.lend(owner.pointer(), false) };
    state
}

fn is_refused(owner: &MemoryOwner<Vec<f64>>) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(lent(owner)))).is_err()
}

#[test]
fn a_memory_is_borrowed_once_at_a_time() {
    let owner = MemoryOwner::new(vec![1.0]);
    let mut one = lent(&owner);
    one.push(2.0);
    assert!(is_refused(&owner));
    assert_eq!(*one, [1.0, 2.0]);
    drop(one);
    assert!(!is_refused(&owner));
    // SAFETY: as above.
    assert_eq!(unsafe { saved::<Vec<f64>>(owner.pointer()) }, Ok(&vec![1.0, 2.0]));
}

#[test]
fn a_state_that_is_kept_keeps_its_memory() {
    let owner = MemoryOwner::new(vec![1.0; 100]);
    let kept = lent(&owner);
    // SAFETY: as above.
    assert!(unsafe { saved::<Vec<f64>>(owner.pointer()) }.is_err());
    drop(owner);
    assert_eq!(kept.iter().sum::<f64>(), 100.0);
}

#[test]
fn calls_that_share_a_memory_cannot_change_it() {
    let owner = MemoryOwner::new(vec![1.0]);
    let [mut one, mut two] = [const { Remembered::<Vec<f64>>::absent() }; 2];
    // SAFETY: as above.
    unsafe {
        one.lend(owner.pointer(), true);
        two.lend(owner.pointer(), true);
    }
    assert_eq!((one[0], two[0]), (1.0, 1.0));
    let changed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| one.push(2.0)));
    assert!(changed.is_err());
}
