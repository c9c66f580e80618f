"""Programs of other languages: for each the name that a problem may ask for, the tag of its
fence, and what a model writes when it answers in that language.
"""

from __future__ import annotations

PROGRAMS: dict[str, tuple[str, str, str]] = {
    "python": (
        "total",
        "python",
        """\
from typing import List

class Sum:
    def total(self, xs: List[int]) -> int:
        result = 0
        for x in xs:
            result += x
        return result

print(Sum().total([1, 2, 3]))""",
    ),
    "python with a class first": (
        "Stack",
        "python",
        """\
class Stack:
    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)""",
    ),
    "haskell": (
        "total",
        "haskell",
        """\
module Main where

import Data.List (foldl')

total :: [Int] -> Int
total = foldl' (+) 0

main :: IO ()
main = do
  let total' = total [1, 2, 3]
  let total = total'
  print total""",
    ),
    "haskell, a session": (
        "total",
        "haskell",
        """\
let total :: [Int] -> Int
    total [] = 0
    total (x:xs) = x + total xs""",
    ),
    "haskell, a type first": (
        "tree",
        "haskell",
        """\
type Tree = [Int]

tree :: Int -> Tree
tree n = let xs = [1 .. n] in map (\\x -> x * 2) xs""",
    ),
    "haskell, equations": (
        "total",
        "haskell",
        """\
type Total = Int
let total xs = sum xs
average xs = total xs `div` length xs""",
    ),
    "javascript": (
        "total",
        "js",
        """\
let total = function (xs) {
  let sum = 0;
  for (let i = 0; i < xs.length; i++) {
    sum += xs[i];
  }
  return sum;
};
console.log(total([1, 2, 3]));""",
    ),
    "javascript, an arrow": (
        "total",
        "javascript",
        "let total = (xs) => xs.reduce((a, b) => a + b, 0);",
    ),
    "javascript, variables": (
        "total",
        "js",
        "let xs = [1, 2, 3];\nlet total = 0;\nxs.forEach(add);",
    ),
    "typescript": (
        "total",
        "ts",
        """\
type Numbers = { values: number[] };

let total = (xs: Numbers): number => {
  return xs.values.reduce((a, b) => a + b, 0);
};""",
    ),
    "rust": (
        "total",
        "rust",
        """\
fn main() {
    let xs = vec![1, 2, 3];
    let total: i32 = xs.iter().sum();
    println!("{}", total);
}""",
    ),
    "rust, statements": (
        "total",
        "rust",
        """\
let mut total = 0;
for x in &xs {
    total += x;
}""",
    ),
    "rust, a closure": (
        "total",
        "rust",
        "let total = |xs: &[i32]| -> i32 { xs.iter().sum() };",
    ),
    "rust, a type first": (
        "total",
        "rust",
        """\
type Numbers = Vec<i32>;

pub fn total(xs: &Numbers) -> i32 {
    let total = xs.iter().sum();
    total
}""",
    ),
    "swift": (
        "total",
        "swift",
        """\
let total = { (xs: [Int]) -> Int in
    return xs.reduce(0) { $0 + $1 }
}""",
    ),
    "scala": (
        "Total",
        "scala",
        """\
class Total(xs: List[Int]) {
  def total: Int = xs.foldLeft(0)((a, b) => a + b)
}""",
    ),
    "java": (
        "Total",
        "java",
        """\
class Total {
    static int total(int[] xs) {
        int sum = 0;
        for (int x : xs) { sum += x; }
        return sum;
    }
}""",
    ),
    "c++": (
        "total",
        "cpp",
        """\
#include <vector>
int total(const std::vector<int>& xs) {
    int sum = 0;
    for (int x : xs) sum += x;
    return sum;
}""",
    ),
    "go": (
        "total",
        "go",
        """\
type Numbers []int

func total(xs Numbers) int {
	sum := 0
	for _, x := range xs {
		sum += x
	}
	return sum
}""",
    ),
    "ruby": (
        "Total",
        "ruby",
        """\
module Total
  def self.total(xs)
    xs.reduce(0) { |a, b| a + b }
  end
end""",
    ),
    "elixir": (
        "total",
        "elixir",
        """\
defmodule Total do
  def total(xs), do: Enum.sum(xs)
end""",
    ),
    "lisp": (
        "total",
        "lisp",
        "(let ((total 0))\n  (dolist (x xs total) (incf total x)))",
    ),
    "shell": ("total", "bash", 'let total=0\nfor x in "$@"; do let total+=x; done'),
    "vim": ("total", "vim", "let total = 0\nfor x in xs\n  let total += x\nendfor"),
}
