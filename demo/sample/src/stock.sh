#!/usr/bin/env bash
# Answers questions about the store room. Source it, then call its functions.

# Prints the value of all coffee in a table of beans.
stock_value() {
  awk -F, 'NR > 1 { sum += $4 * $5 } END { printf "%.2f\n", sum }' "$1"
}

# Prints the coffees that have to be ordered soon, one per line.
low_stock() {
  awk -F, -v limit="${2:-5}" 'NR > 1 && $4 < limit { print $1 }' "$1"
}

# Prints how many bags of a coffee are ordered but not shipped.
open_bags() {
  jq "[.[] | select(.sku == \"$2\" and (.shipped | not)) | .bags] | add // 0" "$1"
}
