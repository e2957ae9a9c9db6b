//! From tokens to a vector: the encoder of BERT (Devlin et al. 2018), which RoBERTa shares but for its positions.

use matrixmultiply::sgemm;

use crate::Error;
use crate::folder::{Activation, Folder, Pooling, Shape};
use crate::weights::{Rows, Weights};

/// A model that is ready to serve. The vectors of its words stay in the file: they are nearly all of it, and a text has few.
#[derive(Debug)]
pub(crate) struct Encoder {
    folder: Folder,
    weights: Weights,
    words: Rows,
    positions: Vec<f32>,
    /// Of the first type, the only one that single texts have.
    kind: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Layer {
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
    /// A row for each output.
    weights: Vec<f32>,
    bias: Vec<f32>,
}

/// Mean 0 and variance 1, then scaled and shifted.
#[derive(Debug)]
struct Norm {
    scale: Vec<f32>,
    shift: Vec<f32>,
    epsilon: f32,
}

impl Encoder {
    pub(crate) fn read(folder: Folder, weights: Weights) -> Result<Self, Error> {
        let Shape { hidden_size, intermediate_size, vocab_size, layer_norm_eps: epsilon, .. } = folder.shape;
        let Shape { num_hidden_layers, max_position_embeddings, type_vocab_size, .. } = folder.shape;
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
        let layer = |number: usize| -> Result<Layer, Error> {
            let name = |part: &str| format!("encoder.layer.{number}.{part}");
            Ok(Layer {
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

    /// The vector of a text of these tokens, of length 1. Fails if the file of the weights cannot be read any more.
    pub(crate) fn encode(&self, tokens: &[u32]) -> std::io::Result<Vec<f32>> {
        let mut states = self.beginning(tokens)?;
        for layer in &self.layers {
            self.step(layer, &mut states);
        }
        let width = self.dimensions();
        let mut vector = match self.folder.pooling {
            Pooling::First => states[..width].to_vec(),
            // The length does not matter, so the sum does as well.
            Pooling::Mean => states.chunks_exact(width).fold(vec![0.0; width], |mut sum, state| {
                add(&mut sum, state);
                sum
            }),
        };
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
        vector.iter_mut().for_each(|value| *value /= length);
        Ok(vector)
    }

    /// What goes into the first layer: a row for each token.
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

    fn step(&self, layer: &Layer, states: &mut Vec<f32>) {
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

    /// Every token looks at all, with each of the heads in its own columns.
    fn attention(&self, layer: &Layer, states: &[f32]) -> Vec<f32> {
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

/// A matrix in a part of a list.
#[derive(Debug, Clone, Copy)]
struct Matrix<'v> {
    values: &'v [f32],
    /// Where its first value is.
    from: usize,
    rows: usize,
    columns: usize,
    /// How far it is to the next row.
    row: usize,
    /// How far it is to the next column.
    column: usize,
}

impl Matrix<'_> {
    fn transposed(self) -> Self {
        Self { rows: self.columns, columns: self.rows, row: self.column, column: self.row, ..self }
    }

    /// One more than the place of its last value.
    fn end(&self) -> usize {
        self.from + (self.rows.max(1) - 1) * self.row + (self.columns.max(1) - 1) * self.column + 1
    }
}

/// `made = scale · left · right + kept · made`, in which `made` begins at the first number of `place` and has rows as far
/// apart as its second.
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

/// The error function, off by less than 1e-6: the quotient of polynomials that Eigen and XLA use in single precision.
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
