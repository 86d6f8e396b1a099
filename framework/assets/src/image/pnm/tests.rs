//! Tests of `pnm`.

use super::super::{Levels, from_bytes};
use crate::Limits;

fn levels(bytes: &[u8]) -> Levels {
    from_bytes(bytes, &Limits::default()).unwrap().levels().clone()
}

#[test]
fn text_and_binary_encodings_agree() {
    let expected = Levels::Eight(vec![0, 255, 255, 0]);
    assert_eq!(levels(b"P1 2 2\n1 0\n# comment\n01"), expected);
    assert_eq!(levels(b"P4\n2 2\n\x80\x40"), expected);
    assert_eq!(levels(b"P2 2 2 15 0 15 15 0"), expected);
    assert_eq!(levels(b"P5\n# CREATOR: map_saver\n2 2\n255\n\x00\xff\xff\x00"), expected);
    assert_eq!(levels(b"P3 2 2 1  0 0 0  1 1 1  1 1 1  0 0 0"), expected);
    assert_eq!(levels(b"P6 2 2 255 \0\0\0\xff\xff\xff\xff\xff\xff\0\0\0"), expected);
    let pam =
        b"P7\nWIDTH 2\nHEIGHT 2\nDEPTH 1\nMAXVAL 255\nTUPLTYPE GRAYSCALE\nENDHDR\n\0\xff\xff\0";
    assert_eq!(levels(pam), expected);
}

#[test]
fn sixteen_bits_are_big_endian_and_scaled() {
    assert_eq!(levels(b"P5 1 1 1000 \x03\xe8"), Levels::Sixteen(vec![65_535]));
    assert_eq!(levels(b"P5 1 1 65535 \x01\x02"), Levels::Sixteen(vec![0x0102]));
}

#[test]
fn defects_are_named() {
    for (bytes, expected) in [
        (&b"P5 2 2 255 \0"[..], "unexpected end"),
        (b"P2 1 1 3 4", "expected 0 to 3"),
        (b"P2 1 x 3 4", "found `x`"),
        (b"P5 1 1 70000 ab", "expected 1 to 65535"),
        (b"P1 1 1 7", "neither 0 nor 1"),
        (b"P7\nWIDTH 2\nENDHDR\n", "expected WIDTH"),
    ] {
        let error = from_bytes(bytes, &Limits::default()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
