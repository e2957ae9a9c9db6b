#![no_main]

use std::panic;
use std::thread;

libfuzzer_sys::fuzz_target!(
    init: {
        // The parser of PDFs works on a thread of its own, and may panic there: that makes the page garbled.
        let ends_the_run = panic::take_hook();
        panic::set_hook(Box::new(move |panicked| {
            if thread::current().name() != Some("qingyu-web-text") {
                ends_the_run(panicked);
            }
        }));
    },
    |bytes: &[u8]| qingyu_fuzz::web_pdf(bytes)
);
