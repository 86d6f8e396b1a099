//! Batches of every class return the bits that single lanes return.

#[test]
fn batches_equal_single_lanes() {
    simhost_sdk::testing::assert_same_in_batches(&simhost_lab::PLUGIN);
}
