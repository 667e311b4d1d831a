#!/usr/bin/env bash
# Prints the report of the store room in Markdown.
source src/stock.sh

beans=data/beans.csv
orders=data/orders.json

echo "# Store room"
echo
echo "Value: $(stock_value "$beans") EUR"
echo
echo "## Order soon"
low_stock "$beans" | while read -r sku; do
  # TODO: say the name of the coffee, not only its short one.
  echo "- $sku ($(open_bags "$orders" "$sku") bags wanted)"
done
