#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| qingyu_fuzz::request(bytes));
