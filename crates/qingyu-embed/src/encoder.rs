//! Encodes tokens into a vector: the encoder of BERT (Devlin et al. 2018), shared by RoBERTa except for the positions.

use matrixmultiply::sgemm;

use crate::Error;
use crate::folder::{Activation, ModelFolder, ModelShape, Pooling};
use crate::weights::{RowMatrix, WeightsFile};

/// A loaded model. The word vectors stay in the file: they are most of the size, and a text needs few.
#[derive(Debug)]
pub(crate) struct Encoder {
    folder: ModelFolder,
    weights: WeightsFile,
    words: RowMatrix,
    positions: Vec<f32>,
    /// Vector of token type 0, the only type in single texts.
    kind: Vec<f32>,
    norm: Norm,
    layers: Vec<EncoderLayer>,
}

#[derive(Debug)]
struct EncoderLayer {
    query: Linear,
    key: Linear,
    value: Linear,
    mixed: Linear,
    mixed_norm: Norm,
    wide: Linear,
    narrow: Linear,
    norm: Norm,
}

/// `x · weightsᵀ + bias`.
#[derive(Debug)]
struct Linear {
    /// A row per output.
    weights: Vec<f32>,
    bias: Vec<f32>,
}

/// Layer normalization: mean 0 and variance 1, then scaled and shifted.
#[derive(Debug)]
struct Norm {
    scale: Vec<f32>,
    shift: Vec<f32>,
    epsilon: f32,
}

impl Encoder {
    pub(crate) fn read(folder: ModelFolder, weights: WeightsFile) -> Result<Self, Error> {
        let ModelShape { hidden_size, intermediate_size, vocab_size, layer_norm_eps: epsilon, .. } = folder.shape;
        let ModelShape { num_hidden_layers, max_position_embeddings, type_vocab_size, .. } = folder.shape;
        let linear = |name: String, inputs: usize, outputs: usize| -> Result<Linear, Error> {
            Ok(Linear {
                weights: weights.tensor(&format!("{name}.weight"), &[outputs, inputs])?,
                bias: weights.tensor(&format!("{name}.bias"), &[outputs])?,
            })
        };
        let norm = |name: String| -> Result<Norm, Error> {
            Ok(Norm {
                scale: weights.tensor(&format!("{name}.LayerNorm.weight"), &[hidden_size])?,
                shift: weights.tensor(&format!("{name}.LayerNorm.bias"), &[hidden_size])?,
                epsilon,
            })
        };
        let layer = |number: usize| -> Result<EncoderLayer, Error> {
            let name = |part: &str| format!("encoder.layer.{number}.{part}");
            Ok(EncoderLayer {
                query: linear(name("attention.self.query"), hidden_size, hidden_size)?,
                key: linear(name("attention.self.key"), hidden_size, hidden_size)?,
                value: linear(name("attention.self.value"), hidden_size, hidden_size)?,
                mixed: linear(name("attention.output.dense"), hidden_size, hidden_size)?,
                mixed_norm: norm(name("attention.output"))?,
                wide: linear(name("intermediate.dense"), hidden_size, intermediate_size)?,
                narrow: linear(name("output.dense"), intermediate_size, hidden_size)?,
                norm: norm(name("output"))?,
            })
        };
        let mut kind = weights.tensor("embeddings.token_type_embeddings.weight", &[type_vocab_size, hidden_size])?;
        kind.truncate(hidden_size);
        Ok(Self {
            words: weights.rows("embeddings.word_embeddings.weight", vocab_size, hidden_size)?,
            positions: weights
                .tensor("embeddings.position_embeddings.weight", &[max_position_embeddings, hidden_size])?,
            kind,
            norm: norm("embeddings".into())?,
            layers: (0..num_hidden_layers).map(layer).collect::<Result<_, _>>()?,
            folder,
            weights,
        })
    }

    pub(crate) fn dimensions(&self) -> usize {
        self.folder.shape.hidden_size
    }

    /// Returns the vector of `tokens`, of length 1. Fails if the weights file cannot be read.
    pub(crate) fn encode(&self, tokens: &[u32]) -> std::io::Result<Vec<f32>> {
        let mut states = self.beginning(tokens)?;
        for layer in &self.layers {
            self.step(layer, &mut states);
        }
        let width = self.dimensions();
        let mut vector = match self.folder.pooling {
            Pooling::First => states[..width].to_vec(),
            // The sum replaces the mean, because the length does not matter.
            Pooling::Mean => states.chunks_exact(width).fold(vec![0.0; width], |mut sum, state| {
                add(&mut sum, state);
                sum
            }),
        };
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
        vector.iter_mut().for_each(|value| *value /= length);
        Ok(vector)
    }

    /// Returns the input of the first layer: a row per token.
    fn beginning(&self, tokens: &[u32]) -> std::io::Result<Vec<f32>> {
        let width = self.dimensions();
        let mut states = Vec::with_capacity(tokens.len() * width);
        for (position, token) in (self.folder.first_position..).zip(tokens) {
            let mut state = self.weights.row(&self.words, *token as usize)?;
            add(&mut state, &self.positions[position * width..][..width]);
            add(&mut state, &self.kind);
            states.extend(state);
        }
        self.norm.apply(&mut states);
        Ok(states)
    }

    fn step(&self, layer: &EncoderLayer, states: &mut Vec<f32>) {
        let mixed = self.attention(layer, states);
        let mut mixed = layer.mixed.apply(&mixed);
        add(&mut mixed, states);
        layer.mixed_norm.apply(&mut mixed);
        let mut wide = layer.wide.apply(&mixed);
        let activation = match self.folder.activation {
            Activation::Gelu => gelu,
            Activation::GeluTanh => gelu_tanh,
            Activation::Relu => |value: f32| value.max(0.0),
        };
        wide.iter_mut().for_each(|value| *value = activation(*value));
        let mut narrow = layer.narrow.apply(&wide);
        add(&mut narrow, &mixed);
        layer.norm.apply(&mut narrow);
        *states = narrow;
    }

    /// Computes self-attention, with each of the heads in its own columns.
    fn attention(&self, layer: &EncoderLayer, states: &[f32]) -> Vec<f32> {
        let (width, heads) = (self.dimensions(), self.folder.shape.num_attention_heads);
        let (count, part) = (states.len() / width, width / heads);
        let (queries, keys, values) = (layer.query.apply(states), layer.key.apply(states), layer.value.apply(states));
        let mut mixed = vec![0.0; states.len()];
        let mut weights = vec![0.0; count * count];
        for head in 0..heads {
            let columns = |matrix| Matrix {
                values: matrix,
                from: head * part,
                rows: count,
                columns: part,
                row: width,
                column: 1,
            };
            let scale = 1.0 / (part as f32).sqrt();
            multiply(scale, columns(&queries), columns(&keys).transposed(), 0.0, &mut weights, (0, count));
            weights.chunks_exact_mut(count).for_each(softmax);
            let weights = Matrix { values: &weights, from: 0, rows: count, columns: count, row: count, column: 1 };
            multiply(1.0, weights, columns(&values), 0.0, &mut mixed, (head * part, width));
        }
        mixed
    }
}

impl Linear {
    fn apply(&self, rows: &[f32]) -> Vec<f32> {
        let outputs = self.bias.len();
        let inputs = self.weights.len() / outputs;
        let count = rows.len() / inputs;
        let mut made = self.bias.repeat(count);
        let rows = Matrix { values: rows, from: 0, rows: count, columns: inputs, row: inputs, column: 1 };
        let weights = Matrix { values: &self.weights, from: 0, rows: outputs, columns: inputs, row: inputs, column: 1 };
        multiply(1.0, rows, weights.transposed(), 1.0, &mut made, (0, outputs));
        made
    }
}

impl Norm {
    fn apply(&self, rows: &mut [f32]) {
        let width = self.scale.len();
        for row in rows.chunks_exact_mut(width) {
            let mean = row.iter().sum::<f32>() / width as f32;
            let variance = row.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / width as f32;
            let factor = 1.0 / (variance + self.epsilon).sqrt();
            for (value, (scale, shift)) in row.iter_mut().zip(self.scale.iter().zip(&self.shift)) {
                *value = (*value - mean) * factor * scale + shift;
            }
        }
    }
}

/// A matrix view of a slice.
#[derive(Debug, Clone, Copy)]
struct Matrix<'v> {
    values: &'v [f32],
    /// Index of the first value.
    from: usize,
    rows: usize,
    columns: usize,
    /// Stride between rows.
    row: usize,
    /// Stride between columns.
    column: usize,
}

impl Matrix<'_> {
    fn transposed(self) -> Self {
        Self { rows: self.columns, columns: self.rows, row: self.column, column: self.row, ..self }
    }

    /// Returns the index after the last value.
    fn end(&self) -> usize {
        self.from + (self.rows.max(1) - 1) * self.row + (self.columns.max(1) - 1) * self.column + 1
    }
}

/// Computes `made = scale · left · right + kept · made`; `place` holds the offset of `made` and its row stride.
fn multiply(scale: f32, left: Matrix<'_>, right: Matrix<'_>, kept: f32, made: &mut [f32], place: (usize, usize)) {
    let (from, row) = place;
    let (rows, inner, columns) = (left.rows, left.columns, right.columns);
    if rows == 0 || columns == 0 {
        return;
    }
    assert_eq!(inner, right.rows, "the matrices fit together");
    assert!(left.end() <= left.values.len() && right.end() <= right.values.len(), "the matrices are whole");
    assert!(columns <= row && from + (rows - 1) * row + columns <= made.len(), "there is room, and rows are apart");
    let stride = |step: usize| isize::try_from(step).expect("no list is longer");
    let (left_values, right_values) = (left.values[left.from..].as_ptr(), right.values[right.from..].as_ptr());
    let made = made[from..].as_mut_ptr();
    #[expect(unsafe_code, reason = "all that it touches is within the lists, as has just been checked")]
    unsafe {
        sgemm(
            rows,
            inner,
            columns,
            scale,
            left_values,
            stride(left.row),
            stride(left.column),
            right_values,
            stride(right.row),
            stride(right.column),
            kept,
            made,
            stride(row),
            1,
        );
    }
}

fn add(to: &mut [f32], more: &[f32]) {
    to.iter_mut().zip(more).for_each(|(to, more)| *to += more);
}

fn softmax(row: &mut [f32]) {
    let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    row.iter_mut().for_each(|value| *value = (*value - largest).exp());
    let sum: f32 = row.iter().sum();
    row.iter_mut().for_each(|value| *value /= sum);
}

fn gelu(value: f32) -> f32 {
    0.5 * value * (1.0 + error_function(value * std::f32::consts::FRAC_1_SQRT_2))
}

fn gelu_tanh(value: f32) -> f32 {
    let inner = (2.0 / std::f32::consts::PI).sqrt() * (value + 0.044_715 * value.powi(3));
    0.5 * value * (1.0 + inner.tanh())
}

/// Returns the error function with an error below 1e-6: the quotient of polynomials used by Eigen and XLA in single
/// precision.
fn error_function(value: f32) -> f32 {
    const ABOVE: [f32; 7] = [
        -2.726_142_3e-10,
        2.770_681_4e-8,
        -2.101_024e-6,
        -5.692_506_4e-5,
        -7.349_906_3e-4,
        -2.954_6e-3,
        -1.609_603_3e-2,
    ];
    const BELOW: [f32; 5] = [-1.456_607_2e-5, -2.133_740_6e-4, -1.682_827e-3, -7.373_329_2e-3, -1.426_473_9e-2];
    let value = value.clamp(-4.0, 4.0);
    let square = value * value;
    let polynomial = |factors: &[f32]| factors.iter().fold(0.0, |sum, factor| sum * square + factor);
    value * polynomial(&ABOVE) / polynomial(&BELOW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_function_is_that_of_the_tables() {
        // Abramowitz and Stegun, table 7.1.
        for (value, known) in [
            (0.0, 0.0),
            (0.1, 0.112_462_92),
            (0.5, 0.520_499_9),
            (1.0, 0.842_700_8),
            (2.0, 0.995_322_3),
            (3.5, 0.999_999_3),
        ] {
            assert!((error_function(value) - known).abs() < 1e-6, "erf({value}) = {}", error_function(value));
            assert!((error_function(-value) + known).abs() < 1e-6);
        }
        assert_eq!(gelu(0.0), 0.0);
        assert!((gelu(30.0) - 30.0).abs() < 1e-4 && gelu(-30.0).abs() < 1e-4);
        assert!((gelu(1.0) - gelu_tanh(1.0)).abs() < 1e-3);
    }

    #[test]
    fn matrices_are_multiplied_in_their_places() {
        let left = Matrix { values: &[9.0, 1.0, 2.0, 3.0, 4.0], from: 1, rows: 2, columns: 2, row: 2, column: 1 };
        let right = Matrix { values: &[1.0, 0.0, 1.0, 1.0], from: 0, rows: 2, columns: 2, row: 2, column: 1 };
        let mut made = vec![1.0; 7];
        multiply(2.0, left, right.transposed(), 10.0, &mut made, (1, 3));
        assert_eq!(made, [1.0, 12.0, 16.0, 1.0, 16.0, 24.0, 1.0]);
    }
}
