#!/usr/bin/env bash
# Runs the tests. Start it in the folder of the project.
source src/stock.sh

failed=0

check() {
  if [ "$2" = "$3" ]; then
    echo "ok      $1"
  else
    echo "FAILED  $1"
    echo "        expected: $2"
    echo "        got:      $3"
    failed=$((failed + 1))
  fi
}

list() { tr '\n' ' ' | sed 's/ $//'; }

check "value of the stock" "1169.00" "$(stock_value data/beans.csv)"
check "coffees that are low" "huila mande" "$(low_stock data/beans.csv | list)"
check "coffees that are low, other limit" "mande" "$(low_stock data/beans.csv 4 | list)"
check "open bags of a coffee" "6" "$(open_bags data/orders.json yirga)"
check "open bags of a coffee without orders" "0" "$(open_bags data/orders.json huila)"

echo
echo "$failed failed"
[ "$failed" -eq 0 ]
