fetch('/api/books')
  .then((response) => response.json())
  .then((books) => {
    for (const { title, price } of books) {
      const item = document.createElement('li');
      item.textContent = `${title}: ${price} €`;
      document.querySelector('#books').append(item);
    }
  });
