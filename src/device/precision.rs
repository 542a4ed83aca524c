//! The number formats that a device has a peak for, and what people call them.

use std::fmt;
use std::str::FromStr;

use crate::lookup::Registry;
use crate::{Error, Result};

/// The number format that a matrix product runs in, and that a peak is quoted for.
///
/// A product is meant that accumulates in FP32 (in INT32 for INT8). It parses from what frameworks, flags and papers
/// call it; a name that fits two formats, such as `float`, is none.
///
/// ```
/// # fn main() -> Result<(), mfu::Error> {
/// use mfu::Precision;
///
/// assert_eq!("torch.bfloat16".parse::<Precision>()?, Precision::Bf16);
/// assert_eq!("fp8_e4m3".parse::<Precision>()?, Precision::Fp8);
/// assert_eq!(Precision::Bf16.to_string(), "BF16");
/// assert!("fp12".parse::<Precision>().unwrap_err().is_unknown_name());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Precision {
    /// Double precision on the vector units.
    Fp64,
    /// Double precision on the matrix units.
    Fp64Tensor,
    /// Single precision, unrounded. Where a framework lets matrix products round to TF32, name [`Tf32`](Self::Tf32).
    Fp32,
    /// 19 bits of single precision, on the matrix units. AMD's XF32 is the same.
    Tf32,
    /// Half precision.
    Fp16,
    /// Brain float: the range of single precision in 16 bits.
    Bf16,
    /// 8-bit floats of any kind: E4M3, E5M2, MXFP8.
    Fp8,
    /// 8-bit integers; an integer operation counts as a FLOP.
    Int8,
    /// 6-bit floats of any kind: E2M3, E3M2, MXFP6.
    Fp6,
    /// 4-bit floats of any kind: MXFP4, NVFP4.
    Fp4,
}

/// Each format, how it is shown, and what it is called.
const NAMES: [(Precision, &str, &[&str]); Precision::COUNT] = [
    (Precision::Fp64, "FP64", &["fp64", "float64", "f64", "double"]),
    (Precision::Fp64Tensor, "FP64-tensor", &["fp64-tensor", "fp64-matrix"]),
    (Precision::Fp32, "FP32", &["fp32", "float32", "f32"]),
    (Precision::Tf32, "TF32", &["tf32", "tensorfloat32", "tensorfloat-32", "xf32"]),
    (Precision::Fp16, "FP16", &["fp16", "float16", "f16", "half", "16-mixed", "16-true", "fp16-mixed"]),
    (Precision::Bf16, "BF16", &["bf16", "bfloat16", "bf16-mixed", "bf16-true"]),
    (
        Precision::Fp8,
        "FP8",
        &[
            "fp8",
            "float8",
            "mxfp8",
            "e4m3",
            "e5m2",
            "e4m3fn",
            "fp8-hybrid",
            "fp8-e4m3",
            "fp8-e5m2",
            "fp8-e4m3fn",
            "fp8-e4m3fnuz",
            "fp8-e5m2fnuz",
            "mxfp8-e4m3",
            "mxfp8-e5m2",
            "float8-e4m3",
            "float8-e5m2",
            "float8-e4m3fn",
            "float8-e4m3fnuz",
            "float8-e4m3b11fnuz",
            "float8-e5m2fnuz",
            "f8e4m3",
            "f8e5m2",
            "f8e4m3fn",
            "f8e4m3fnuz",
            "f8e5m2fnuz",
        ],
    ),
    (Precision::Int8, "INT8", &["int8", "i8", "s8"]),
    (
        Precision::Fp6,
        "FP6",
        &[
            "fp6",
            "float6",
            "mxfp6",
            "e2m3",
            "e3m2",
            "fp6-e2m3",
            "fp6-e3m2",
            "mxfp6-e2m3",
            "mxfp6-e3m2",
            "float6-e2m3fn",
            "float6-e3m2fn",
        ],
    ),
    (
        Precision::Fp4,
        "FP4",
        &[
            "fp4",
            "float4",
            "mxfp4",
            "nvfp4",
            "e2m1",
            "fp4-e2m1",
            "mxfp4-e2m1",
            "float4-e2m1fn",
            "float4-e2m1fn-x2",
            "f4e2m1fn",
        ],
    ),
];

/// The modules that frameworks keep their types in.
const MODULES: [&str; 7] = ["torch.", "jnp.", "jax.numpy.", "numpy.", "np.", "ml_dtypes.", "tf."];

impl Precision {
    pub(super) const COUNT: usize = 10;

    /// Every format, in the order of the tables.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Fp64,
        Self::Fp64Tensor,
        Self::Fp32,
        Self::Tf32,
        Self::Fp16,
        Self::Bf16,
        Self::Fp8,
        Self::Int8,
        Self::Fp6,
        Self::Fp4,
    ];

    /// Its place in [`ALL`](Self::ALL), which has the order of the declaration.
    pub(super) const fn place(self) -> usize {
        self as usize
    }

    /// The format of that name, whatever its case, with dashes or underscores.
    pub(super) fn named(name: &str) -> Option<Self> {
        let bare = MODULES.iter().find_map(|module| name.strip_prefix(module)).unwrap_or(name);
        let same = |known: &&str| {
            let fold = |byte: u8| if byte == b'_' { b'-' } else { byte.to_ascii_lowercase() };
            known.len() == bare.len() && known.bytes().eq(bare.bytes().map(fold))
        };
        NAMES.iter().find_map(|(precision, _, names)| names.iter().any(same).then_some(*precision))
    }
}

impl FromStr for Precision {
    type Err = Error;

    /// The format of that name: `bf16`, `torch.bfloat16`, `fp8_e4m3`, `nvfp4`.
    ///
    /// # Errors
    ///
    /// An unknown name is an error that lists the near ones.
    fn from_str(name: &str) -> Result<Self> {
        const PRECISIONS: Registry =
            Registry { noun: "precision", remedy: "`Precision::ALL` lists every one that a peak can have" };
        Self::named(name).ok_or_else(|| {
            let known = NAMES.iter().flat_map(|(_, _, names)| names.iter().map(|name| (*name, *name)));
            PRECISIONS.unknown(name, known, None)
        })
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = NAMES.iter().find_map(|(precision, shown, _)| (precision == self).then_some(*shown));
        f.pad(shown.unwrap_or_default())
    }
}
