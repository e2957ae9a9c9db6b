//! Reads tensors of `model.safetensors` on demand.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use safetensors::tensor::{Dtype, Metadata, TensorInfo};
use sha2::{Digest, Sha256};

use crate::Error;

/// Maximum header size: the header of a model with a hundred layers has 200 KB.
const LARGEST_HEADER: u64 = 100 << 20;
/// Prefixes of tensor names in a model saved as part of a larger model.
const WRAPPERS: [&str; 4] = ["", "bert.", "roberta.", "model."];
/// Bytes of each end of a tensor in the fingerprint.
const SAMPLE: usize = 128;

/// The weights file with its index of tensors.
#[derive(Debug)]
pub(crate) struct WeightsFile {
    path: PathBuf,
    file: Mutex<File>,
    metadata: Metadata,
    /// Offset of the tensors.
    data: u64,
    wrapper: &'static str,
}

/// A matrix kept in the file, because a text needs only few rows.
#[derive(Debug)]
pub(crate) struct RowMatrix {
    begin: u64,
    columns: usize,
    kind: Dtype,
}

impl WeightsFile {
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let unreadable = |error: std::io::Error| Error::unreadable(path, &error);
        let mut file = File::open(path).map_err(unreadable)?;
        let size = file.metadata().map_err(unreadable)?.len();
        let mut length = [0; 8];
        file.read_exact(&mut length).map_err(|error| Error::damaged(path, error))?;
        let header = u64::from_le_bytes(length);
        if header > LARGEST_HEADER || header > size.saturating_sub(8) {
            return Err(Error::damaged(path, format!("a header of {header} bytes in a file of {size}")));
        }
        let mut names = Vec::new();
        file.by_ref().take(header).read_to_end(&mut names).map_err(unreadable)?;
        let metadata: Metadata = serde_json::from_slice(&names).map_err(|error| Error::damaged(path, error))?;
        let data = header + 8;
        let end = metadata.tensors().values().map(|info| info.data_offsets.1 as u64).max().unwrap_or_default();
        if data + end > size {
            return Err(Error::damaged(path, format!("cut: {} bytes of {}", size, data + end)));
        }
        let word = "embeddings.word_embeddings.weight";
        let wrapper = WRAPPERS.into_iter().find(|wrapper| metadata.info(&format!("{wrapper}{word}")).is_some());
        let wrapper = wrapper.ok_or_else(|| Error::damaged(path, format!("it has no {word}")))?;
        Ok(Self { path: path.into(), file: Mutex::new(file), metadata, data, wrapper })
    }

    /// Returns a tensor of the given shape.
    pub(crate) fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, Error> {
        let info = self.info(name, shape)?;
        let (from, to) = info.data_offsets;
        let bytes =
            self.bytes(self.data + from as u64, to - from).map_err(|error| Error::unreadable(&self.path, &error))?;
        Ok(floats(&bytes, info.dtype))
    }

    /// Returns a matrix of the given shape, kept in the file.
    pub(crate) fn rows(&self, name: &str, rows: usize, columns: usize) -> Result<RowMatrix, Error> {
        let info = self.info(name, &[rows, columns])?;
        Ok(RowMatrix { begin: self.data + info.data_offsets.0 as u64, columns, kind: info.dtype })
    }

    /// Returns a row of the matrix.
    pub(crate) fn row(&self, rows: &RowMatrix, row: usize) -> std::io::Result<Vec<f32>> {
        let size = rows.columns * rows.kind.bitsize() / 8;
        Ok(floats(&self.bytes(rows.begin + (row * size) as u64, size)?, rows.kind))
    }

    /// Adds both ends of every tensor to the digest, to distinguish models: further training changes nearly all values.
    pub(crate) fn fingerprint(&self, digest: &mut Sha256) -> Result<(), Error> {
        for name in self.metadata.offset_keys() {
            let Some(info) = self.metadata.info(&name) else { continue };
            let (from, to) = info.data_offsets;
            let length = (to - from).min(SAMPLE);
            digest.update(name.as_bytes());
            for place in [from, to - length] {
                let sample = self.bytes(self.data + place as u64, length);
                digest.update(sample.map_err(|error| Error::unreadable(&self.path, &error))?);
            }
        }
        Ok(())
    }

    fn info(&self, name: &str, shape: &[usize]) -> Result<&TensorInfo, Error> {
        let name = format!("{}{name}", self.wrapper);
        // The name before 2019.
        let old = name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta");
        let info = self.metadata.info(&name).or_else(|| self.metadata.info(&old));
        let info = info.ok_or_else(|| Error::damaged(&self.path, format!("it has no {name}")))?;
        if info.shape != shape {
            let message = format!("{name} is {:?} where config.json says {shape:?}", info.shape);
            return Err(Error::damaged(&self.path, message));
        }
        if !matches!(info.dtype, Dtype::F32 | Dtype::F16 | Dtype::BF16) {
            return Err(Error::unsupported(&self.path, format!("{name} of {:?}; F32, F16 and BF16 are", info.dtype)));
        }
        Ok(info)
    }

    fn bytes(&self, from: u64, length: usize) -> std::io::Result<Vec<u8>> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = vec![0; length];
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

/// Parses little-endian numbers of a kind accepted by [`WeightsFile::info`].
fn floats(bytes: &[u8], kind: Dtype) -> Vec<f32> {
    let words = || bytes.as_chunks::<2>().0.iter();
    match kind {
        Dtype::F16 => words().map(|word| f16::from_le_bytes(*word)).collect::<Vec<_>>().to_f32_vec(),
        Dtype::BF16 => words().map(|word| bf16::from_le_bytes(*word)).collect::<Vec<_>>().to_f32_vec(),
        _ => bytes.as_chunks::<4>().0.iter().map(|word| f32::from_le_bytes(*word)).collect(),
    }
}
