//! Finding what matters in a story: segmentation and keyword search.
